import { providerDown, redirected } from '#providers/failures.ts';
import type { HttpReply } from '#providers/http.ts';
import { ProviderError, type ProviderErrorDetails, type ProviderErrorKind } from '#providers/provider.ts';
import { quoteVendor } from '#providers/redact.ts';
import { parseRetryAfter } from '#providers/retry-after.ts';
import { wireGatewayFault, wireOauthFailure, wireRestFailure } from './api-types.ts';

/** What a refusal says of itself, from whichever layer it comes; undefined when it is in none of Keap's shapes. */
type KeapRefusal = { code: string; message: string };

function keapRefusal(reply: HttpReply): KeapRefusal | undefined {
  const gateway = wireGatewayFault.safeParse(reply.json);
  if (gateway.success) {
    const { faultstring, detail } = gateway.data.fault;
    return { code: detail?.errorcode ?? '', message: faultstring };
  }
  const oauth = wireOauthFailure.safeParse(reply.json);
  if (oauth.success) return { code: oauth.data.error, message: oauth.data.error_description ?? '' };
  const rest = wireRestFailure.safeParse(reply.json);
  if (rest.success) return { code: rest.data.status ?? String(rest.data.code ?? ''), message: rest.data.message };
  return undefined;
}

/** The error for an answer of the REST interface that is not 2xx. */
export function keapError(reply: HttpReply, secrets: readonly string[], nowMs: number = Date.now()): ProviderError {
  const refusal = keapRefusal(reply);
  const details = detailsOf(reply, refusal, secrets);
  const fail = failure(details);
  switch (reply.status) {
    case 401:
      return fail('bad_credentials', 'Keap no longer accepts this connection. Connect Keap again.');
    case 403:
      if (!refusal) return blocked(details);
      return fail(
        'bad_configuration',
        'The Keap user who connected does not have access to contacts or tags. Connect again as a Keap administrator.',
      );
    case 429:
      if (reply.headers.get('x-keap-product-quota-available') === '0')
        return failure({ ...details, retryAfterMs: untilMidnightUtc(nowMs) })(
          'out_of_credit',
          'The daily number of Keap calls is used up. It starts again at 00:00 UTC.',
        );
      return fail('rate_limited', 'Keap is receiving too many requests right now. Wait a minute, then try again.');
    default:
      return anyError(reply, refusal, details, secrets);
  }
}

/** The error for an answer of the token endpoint that is not 2xx. `bad_credentials`: code, refresh token or client are not accepted. */
export function keapTokenError(reply: HttpReply, secrets: readonly string[]): ProviderError {
  const refusal = keapRefusal(reply);
  const details = detailsOf(reply, refusal, secrets);
  const fail = failure(details);
  if (refusal && (reply.status === 400 || reply.status === 401)) {
    if (/client/i.test(refusal.code) || reply.status === 401)
      return fail('bad_credentials', 'Keap refused the Client ID or Client Secret. Check both, then connect again.');
    return fail('bad_credentials', 'Keap no longer accepts this connection. Connect Keap again.');
  }
  if (reply.status === 429)
    return fail('rate_limited', 'Keap is receiving too many requests right now. Wait a minute, then try again.');
  return anyError(reply, refusal, details, secrets);
}

function anyError(
  reply: HttpReply,
  refusal: KeapRefusal | undefined,
  details: ProviderErrorDetails,
  secrets: readonly string[],
): ProviderError {
  if (reply.status >= 500) return providerDown('keap', details);
  if (reply.status >= 300 && reply.status < 400) return redirected('keap', reply);
  if (!refusal) return blocked(details);
  const words = refusal.message ? `: "${quoteVendor(refusal.message, secrets)}"` : '';
  return failure(details)('bad_request', `Keap did not accept this request${words}.`);
}

const failure = (details: ProviderErrorDetails) => (kind: ProviderErrorKind, message: string) =>
  new ProviderError('keap', kind, message, details);

const blocked = (details: ProviderErrorDetails) =>
  failure(details)(
    'bad_configuration',
    'The address used for Keap does not respond like Keap. Ask the administrator to check it, and any proxy in between.',
  );

const detailsOf = (
  reply: HttpReply,
  refusal: KeapRefusal | undefined,
  secrets: readonly string[],
): ProviderErrorDetails => ({
  retryAfterMs: parseRetryAfter(reply.headers.get('retry-after')),
  detail: quoteVendor(`HTTP ${reply.status} ${refusal?.code ?? ''}: ${refusal?.message ?? ''}`, secrets),
});

const DAY_MS = 86_400_000;
const untilMidnightUtc = (nowMs: number) => DAY_MS - (nowMs % DAY_MS);
