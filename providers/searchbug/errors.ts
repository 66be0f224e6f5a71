import { providerDown, redirected, tooFast, unreadableAnswer } from '#providers/failures.ts';
import type { HttpReply } from '#providers/http.ts';
import type { ProviderErrorDetails, ProviderErrorKind } from '#providers/provider.ts';
import { ProviderError } from '#providers/provider.ts';
import { quoteVendor } from '#providers/redact.ts';
import { parseRetryAfter } from '#providers/retry-after.ts';

const wrongKey =
  'SearchBug rejected this key. Check the Account Number and the API Key on the page "Your Account" at SearchBug.';

/** The error for an answer that is no JSON answer of SearchBug's, whatever its HTTP status. */
export function searchbugHttpError(reply: HttpReply, secrets: readonly string[], paid: boolean): ProviderError {
  const details: ProviderErrorDetails = {
    retryAfterMs: parseRetryAfter(reply.headers.get('retry-after')),
    detail: `HTTP ${reply.status}`,
  };
  if (reply.status >= 500) return providerDown('searchbug', { ...details, charge: paid ? 'possible' : 'none' });
  if (reply.status === 429) return tooFast('searchbug', details);
  if (reply.status >= 300 && reply.status < 400) return denied(reply, secrets);
  if (/^\s*<(!doctype html|html|head|body)/i.test(reply.text)) return blocked(reply, paid);
  if (reply.status === 401 || reply.status === 403) {
    return new ProviderError('searchbug', 'bad_credentials', wrongKey, details);
  }
  if (reply.status >= 400) {
    return new ProviderError('searchbug', 'bad_request', 'SearchBug did not accept this request.', details);
  }
  return unreadableAnswer('searchbug', reply, paid);
}

/** The error for an answer with Status "Error". SearchBug publishes no list of its codes, so the words decide. */
export function searchbugAnswerError(text: string, secrets: readonly string[]): ProviderError {
  const quoted = quoteVendor(text, secrets);
  const fail = (kind: ProviderErrorKind, message: string) =>
    new ProviderError('searchbug', kind, message, { detail: quoted });
  if (/prepaid plan|balance/i.test(text)) {
    return fail(
      'out_of_credit',
      'The prepaid balance of this SearchBug account is used up. Add funds at SearchBug, then try again.',
    );
  }
  const aboutTheKey = /password|account number|api key|co_code|credential|access denied|not authori[sz]ed/i;
  // "Invalid phone number" or "invalid TYPE" is about the request, not about the key.
  const invalidOther = /invalid.{0,20}\b(phone|number|type|format|parameter|request)\b/i;
  if (aboutTheKey.test(text) || (/invalid/i.test(text) && !invalidOther.test(text)))
    return fail('bad_credentials', wrongKey);
  return fail('bad_request', `SearchBug did not accept this request${quoted ? `: "${quoted}"` : ''}.`);
}

function denied(reply: HttpReply, secrets: readonly string[]): ProviderError {
  const location = reply.headers.get('location') ?? '';
  if (!/access-denied/i.test(location)) return redirected('searchbug', reply);
  return new ProviderError(
    'searchbug',
    'bad_configuration',
    'SearchBug denied access to this account. Check that the key is right and that your plan includes phone scrubs (Advanced Phone ID with DNC/TCPA), or ask SearchBug support to allow the IP address of this server.',
    { detail: quoteVendor(`HTTP ${reply.status} to ${location.split('?')[0]}`, secrets) },
  );
}

function blocked(reply: HttpReply, paid: boolean): ProviderError {
  return new ProviderError(
    'searchbug',
    'bad_configuration',
    'SearchBug returned a web page instead of data, so it is blocking this server. Ask SearchBug support to allow the IP address of this server.',
    // A page with status 200 may stand in for an answer that was billed; a refusal may not.
    { charge: paid && reply.status < 300 ? 'possible' : 'none', detail: `HTTP ${reply.status}, HTML` },
  );
}
