/** A mail to one address. */
export type Mail = { to: string; subject: string; text: string; html: string };

/** A mail as the outbox keeps it. `links` are the http(s) addresses in it, in order, each once; `sentAt` is an ISO time. */
export type KeptMail = Mail & { links: string[]; sentAt: string };

/** One address and nothing else: no list, no name, no second header. */
const ONE_ADDRESS = /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()[\]"\\\p{Cc}]+$/u;

/** @throws when recipient or subject could reach other people or write headers of their own. */
export function requireSafe({ to, subject }: Mail): void {
  if (!ONE_ADDRESS.test(to)) throw new Error('An email goes to exactly one address.');
  if (/\p{Cc}/u.test(subject)) throw new Error('The subject of an email is one line of text.');
}
