import { providerDown, redirected, tooFast } from '#providers/failures.ts';
import type { HttpReply } from '#providers/http.ts';
import type { ProviderErrorDetails, ProviderErrorKind } from '#providers/provider.ts';
import { ProviderError } from '#providers/provider.ts';
import { quoteVendor } from '#providers/redact.ts';
import { parseRetryAfter } from '#providers/retry-after.ts';
import { type WireFailure, wireFailure } from './api-types.ts';

const wrongKey = 'Google rejected this API key. Check it in the Google Cloud console, or create a new one.';

const serverKey =
  'This Google key is limited to apps or web pages. In the Google Cloud console, set its application restriction to "None" or to the IP address of this server.';

/** What Google's ErrorInfo reasons mean for the user. */
const byReason: Readonly<Record<string, readonly [ProviderErrorKind, string]>> = {
  API_KEY_INVALID: ['bad_credentials', wrongKey],
  API_KEY_EXPIRED: ['bad_credentials', 'This Google key has expired. Create a new one in the Google Cloud console.'],
  CONSUMER_SUSPENDED: [
    'bad_credentials',
    'Google has suspended the project of this key. Use a key from another project, or contact Google Cloud support.',
  ],
  CONSUMER_INVALID: [
    'bad_credentials',
    'The Google project of this key no longer exists. Use a key from another project.',
  ],
  SERVICE_DISABLED: [
    'bad_configuration',
    'Places API (New) is not enabled for this Google key. Enable "Places API (New)" in the Google Cloud console, wait five minutes, then try again.',
  ],
  API_KEY_SERVICE_BLOCKED: [
    'bad_configuration',
    'This Google key is not allowed to use Places API (New). Add "Places API (New)" to the API restrictions of the key in the Google Cloud console.',
  ],
  API_KEY_HTTP_REFERRER_BLOCKED: ['bad_configuration', serverKey],
  API_KEY_ANDROID_APP_BLOCKED: ['bad_configuration', serverKey],
  API_KEY_IOS_APP_BLOCKED: ['bad_configuration', serverKey],
  API_KEY_IP_ADDRESS_BLOCKED: [
    'bad_configuration',
    'This Google key does not accept the IP address of this server. Add the address to the application restrictions of the key in the Google Cloud console.',
  ],
  BILLING_DISABLED: [
    'bad_configuration',
    'Billing is off for the Google project of this key. Link a billing account in the Google Cloud console, then try again.',
  ],
  RESOURCE_QUOTA_EXCEEDED: [
    'out_of_credit',
    'The Google quota of this key is used up. Raise it in the Google Cloud console, or wait until it resets.',
  ],
};

/** The error for an answer that is not 2xx: Google's reason decides first, its status second, HTTP's last. */
export function googleError(reply: HttpReply, secrets: readonly string[]): ProviderError {
  const parsed = wireFailure.safeParse(reply.json);
  const failure: WireFailure = parsed.success ? parsed.data.error : { message: '', status: '', details: [] };
  const reason = failure.details.find((item) => item.reason)?.reason ?? '';
  const details: ProviderErrorDetails = {
    retryAfterMs: parseRetryAfter(reply.headers.get('retry-after')) ?? retryDelayMs(failure),
    detail: quoteVendor(`HTTP ${reply.status} ${failure.status} ${reason}: ${failure.message}`, secrets),
  };
  const fail = (kind: ProviderErrorKind, message: string) => new ProviderError('google_places', kind, message, details);

  const known = byReason[reason];
  if (known) return fail(...known);
  if (failure.status === 'RESOURCE_EXHAUSTED' || reply.status === 429) {
    if (!isDayQuota(failure)) return tooFast('google_places', details);
    return fail(
      'out_of_credit',
      "This key has used up today's Google quota. It resets at midnight Pacific time. You can also raise it in the Google Cloud console.",
    );
  }
  if (failure.status === 'UNAUTHENTICATED' || reply.status === 401) return fail('bad_credentials', wrongKey);
  if (reply.status >= 500) return providerDown('google_places', details);
  if (reply.status >= 300 && reply.status < 400) return redirected('google_places', reply);
  if (reply.status === 403 && !/unregistered callers/i.test(failure.message)) {
    return fail(
      'bad_configuration',
      'Google refused this key. Check in the Google Cloud console that Places API (New) and billing are on and that the restrictions of the key allow this server.',
    );
  }
  if (!parsed.success) {
    return fail(
      'bad_configuration',
      'The address used for Google Places does not respond like Google. Ask the administrator to check it.',
    );
  }
  return fail('bad_request', 'Google did not accept this search. Change the business type or the location.');
}

/** `quota_unit` is "1/d/{project}" for a day's quota and "1/min/{project}" or "1/m/…" for a minute's. */
function isDayQuota(failure: WireFailure): boolean {
  return failure.details.some((item) => item.metadata?.quota_unit?.startsWith('1/d'));
}

/** google.rpc.RetryInfo: "30s" or "1.5s". */
function retryDelayMs(failure: WireFailure): number | undefined {
  const seconds = failure.details.map((item) => /^(\d+(?:\.\d+)?)s$/.exec(item.retryDelay ?? '')?.[1]).find(Boolean);
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
}
