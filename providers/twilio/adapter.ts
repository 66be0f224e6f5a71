import { unreadableAnswer } from '#providers/failures.ts';
import { sendRequest } from '#providers/http.ts';
import { trimBaseUrl } from '#providers/key-text.ts';
import { type Fetch, ProviderError, type SmsSender } from '#providers/provider.ts';
import { wireMessage } from './api-types.ts';
import { twilioError } from './errors.ts';

const TIMEOUT_MS = 10_000;

/** `from`: a number of the account, or the sid of a messaging service (`MG…`). */
export type TwilioOptions = { accountSid: string; authToken: string; from: string; baseUrl: string; fetch?: Fetch };

/** Speaks Twilio's Messages API. */
export function createTwilioSender({ accountSid, authToken, from, baseUrl, fetch }: TwilioOptions): SmsSender {
  const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  return {
    async send({ to, text }) {
      const reply = await sendRequest({
        provider: 'twilio',
        fetch: fetch ?? globalThis.fetch,
        method: 'POST',
        url: `${trimBaseUrl(baseUrl)}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
        headers: {
          authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ To: to, ...sender, Body: text }).toString(),
        timeoutMs: TIMEOUT_MS,
        paid: false,
      });
      if (reply.status < 200 || reply.status > 299) throw twilioError(reply);
      const message = wireMessage.safeParse(reply.json);
      if (!message.success) throw unreadableAnswer('twilio', reply, false);
      const { status, error_code: code } = message.data;
      if (status === 'failed' || status === 'undelivered')
        throw new ProviderError('twilio', 'transient', 'The text message could not be delivered.', {
          detail: `${status}, code ${code ?? 'none'}`,
        });
    },
  };
}
