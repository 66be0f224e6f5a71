import { providerDown, tooFast, unreadableAnswer } from '#providers/failures.ts';
import type { HttpReply } from '#providers/http.ts';
import { ProviderError, type ProviderErrorDetails } from '#providers/provider.ts';
import { parseRetryAfter } from '#providers/retry-after.ts';
import { wireFailure } from './api-types.ts';

/** Codes about the number that was written to: none, not one for text messages, one that has asked for silence. */
const BAD_NUMBER = new Set([21211, 21610, 21612, 21614]);
/** Codes about the sender: not one of the account's, a trial account, a country that is not enabled, an empty messaging service. */
const BAD_SENDER = new Set([20404, 21212, 21408, 21603, 21606, 21608, 21703]);

/** The error for an answer that is not 2xx. The code is told to the log; Twilio's words may repeat the number and are not. */
export function twilioError(reply: HttpReply, nowMs: number = Date.now()): ProviderError {
  const code = wireFailure.safeParse(reply.json).data?.code;
  const details: ProviderErrorDetails = {
    detail: `status ${reply.status}${code === undefined ? '' : `, code ${code}`}`,
    retryAfterMs: parseRetryAfter(reply.headers.get('retry-after'), nowMs),
  };
  const fail = (kind: ProviderError['kind'], message: string) => new ProviderError('twilio', kind, message, details);
  if (reply.status === 401 || reply.status === 403 || code === 20003)
    return fail('bad_credentials', 'Twilio refused the account. Check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.');
  if (reply.status === 429 || code === 20429) return tooFast('twilio', details);
  if (code !== undefined && BAD_NUMBER.has(code))
    return fail('bad_request', 'This number cannot be reached by text message. Check it.');
  if (code !== undefined && BAD_SENDER.has(code))
    return fail('bad_configuration', 'Twilio may not send from this number, or to that country. Check TWILIO_FROM.');
  if (reply.status >= 500) return providerDown('twilio', details);
  return code === undefined
    ? unreadableAnswer('twilio', reply, false)
    : fail('bad_request', 'Twilio refused the text message.');
}
