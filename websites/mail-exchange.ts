import { isNoSuch, type NameServers } from './fetch/resolve-name.ts';

/**
 * Whether a domain takes mail:
 * - `accepts`: it names mail servers
 * - `implicit`: it names none, but has an address, which then stands in (RFC 5321, section 5.1)
 * - `refuses`: it says that it takes none (null MX, RFC 7505)
 * - `none`: it does not exist, or has neither mail server nor address
 * - `unknown`: the name servers did not say
 */
export const MAIL_STATES = ['accepts', 'implicit', 'refuses', 'none', 'unknown'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** Whether mail to the domain can arrive, as far as anyone knows. That it may does not mean that the mailbox exists. */
export const mayReceive = (state: MailState): boolean => state !== 'refuses' && state !== 'none';

/** Never rejects. */
export async function mailState(names: NameServers, domain: string): Promise<MailState> {
  try {
    const servers = await names.resolveMx(domain);
    if (servers.length > 0) return servers.every(isNull) ? 'refuses' : 'accepts';
  } catch (error) {
    if (!isNoSuch(error)) return 'unknown';
  }
  const answers = await Promise.allSettled([names.resolve4(domain), names.resolve6(domain)]);
  if (answers.some((answer) => answer.status === 'fulfilled' && answer.value.length > 0)) return 'implicit';
  return answers.every((answer) => answer.status === 'fulfilled' || isNoSuch(answer.reason)) ? 'none' : 'unknown';
}

/** A single "." as its server. */
const isNull = ({ exchange }: { exchange: string }) => exchange === '' || exchange === '.';
