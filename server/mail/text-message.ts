import { ProviderError, type SmsSender } from '#providers/provider.ts';
import { outboxOf } from '#server/config/env.ts';
import type { Deps } from '#server/deps.ts';
import type { KeptMail } from './mail.ts';
import { keepMail } from './outbox.ts';

/** A text message. `to`: E.164, with the plus. */
export type TextMessage = { to: string; text: string };

/** Sends text messages and tells a number that cannot be reached from everything else, which throws. */
export const textSender =
  (sms: SmsSender) =>
  async (message: TextMessage): Promise<'sent' | 'bad number'> => {
    try {
      await sms.send(message);
      return 'sent';
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'bad_request') return 'bad number';
      throw error;
    }
  };

/** Who sends text messages, if anyone does. The sandbox's reach someone only where there is a mailbox. */
export const textsOf = ({ env, providers }: Pick<Deps, 'env' | 'providers'>): SmsSender | undefined =>
  env.twilio || outboxOf(env) ? providers.sms : undefined;

/** Keeps a text message among the mails of the outbox. */
export async function keepText(outboxDir: string, { to, text }: TextMessage): Promise<void> {
  const kept: KeptMail = { to, subject: 'Text message', text, html: '', links: [], sentAt: new Date().toISOString() };
  await keepMail(outboxDir, kept, Buffer.from(`To: ${to}\r\n\r\n${text}\r\n`));
}
