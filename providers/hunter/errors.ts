import { providerDown, redirected, tooFast } from '#providers/failures.ts';
import type { HttpReply } from '#providers/http.ts';
import type { ProviderErrorDetails, ProviderErrorKind } from '#providers/provider.ts';
import { ProviderError } from '#providers/provider.ts';
import { quoteVendor } from '#providers/redact.ts';
import { parseRetryAfter } from '#providers/retry-after.ts';
import { wireFailure } from './api-types.ts';

/** Hunter's own name for a refusal ("pagination_error"), empty when there is none. */
export function hunterErrorId(reply: HttpReply): string {
  const parsed = wireFailure.safeParse(reply.json);
  return parsed.success ? (parsed.data.errors[0]?.id ?? '') : '';
}

/**
 * Returns the error for an answer that is not 2xx. Hunter swaps two statuses:
 * - 403: too fast
 * - 429: the plan's credits are used up, until `resetDate` where that is known
 */
export function hunterError(reply: HttpReply, secrets: readonly string[], resetDate?: string): ProviderError {
  const parsed = wireFailure.safeParse(reply.json);
  const first = parsed.success ? parsed.data.errors[0] : undefined;
  const details: ProviderErrorDetails = {
    retryAfterMs: parseRetryAfter(reply.headers.get('retry-after')),
    detail: quoteVendor(`HTTP ${reply.status} ${first?.id ?? ''}: ${first?.details ?? ''}`, secrets),
  };
  const fail = (kind: ProviderErrorKind, message: string) => new ProviderError('hunter_io', kind, message, details);

  switch (reply.status) {
    case 401:
      return fail(
        'bad_credentials',
        'Hunter rejected this API key. Copy it again from the API page of your Hunter account.',
      );
    case 403:
      // Hunter's 403 is its rate limit; a web page is that of a proxy or firewall.
      if (!reply.text.trimStart().startsWith('<')) return tooFast('hunter_io', details);
      return fail(
        'bad_configuration',
        'Something between this server and Hunter blocks the connection. Ask the administrator to allow api.hunter.io.',
      );
    case 429:
      return fail(
        'out_of_credit',
        `The credits of your Hunter plan are used up. Upgrade the plan, or wait until its credits renew${renewal(resetDate)}.`,
      );
    case 451:
      return fail('legal_block', 'Hunter may not share data about this domain: its owner asked for privacy.');
    default:
  }
  if (reply.status >= 500) return providerDown('hunter_io', details);
  if (reply.status >= 300 && reply.status < 400) return redirected('hunter_io', reply);
  if (!parsed.success) {
    const message = 'The address used for Hunter does not respond like Hunter. Ask the administrator to check it.';
    return fail('bad_configuration', message);
  }
  return fail(
    'bad_request',
    `Hunter did not accept this request${first?.details ? `: "${quoteVendor(first.details, secrets)}"` : ''}. This domain is skipped.`,
  );
}

const renewal = (date: string | undefined) =>
  date && /^\d{4}-\d{2}-\d{2}/.test(date) ? ` on ${date.slice(0, 10)}` : '';
