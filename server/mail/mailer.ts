import { createTransport } from 'nodemailer';
import { isLoopbackUrl } from '#server/lib/loopback.ts';
import { type KeptMail, type Mail, requireSafe } from './mail.ts';
import { keepMail } from './outbox.ts';

export type MailerOptions = {
  /** smtp:// or smtps://, with user and password if needed. Without it mail goes to `outboxDir`. */
  smtpUrl?: string | undefined;
  /** Whether mail may go unencrypted to a mail server on another machine. Default false. */
  allowPlain?: boolean | undefined;
  /** Sender: an address, or `Name <address>`. */
  from: string;
  /** Where mail is kept that is not sent. */
  outboxDir?: string | undefined;
  /** Hears of each mail that was kept. */
  onMail?: (mail: KeptMail) => void;
};

export type Mailer = {
  /**
   * Resolves when the mail server took the mail, or it is kept.
   * @throws when neither is possible.
   */
  send(mail: Mail): Promise<void>;
  /** Ends connections to the mail server. */
  close(): void;
};

const LIMIT_MS = 10_000;
// What a mail says never makes this process open files or addresses.
const CLOSED = { disableFileAccess: true, disableUrlAccess: true };

/** Sends mail by SMTP, or keeps it in the outbox, or refuses when it was given neither. */
export function createMailer({ smtpUrl, allowPlain = false, from, outboxDir, onMail }: MailerOptions): Mailer {
  if (smtpUrl) return smtpMailer(smtpUrl, from, { requireTLS: !allowPlain && !isLoopbackUrl(smtpUrl) });
  if (!outboxDir) {
    const send = () => Promise.reject(new Error('No email can be sent: SMTP_URL is not set.'));
    return { send, close() {} };
  }
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...CLOSED });
  return {
    async send(mail) {
      requireSafe(mail);
      const { message } = await composer.sendMail(messageOf(mail, from));
      const { to, subject, text, html } = mail;
      const kept: KeptMail = { to, subject, text, html, links: linksOf(mail), sentAt: new Date().toISOString() };
      await keepMail(outboxDir, kept, Buffer.isBuffer(message) ? message : Buffer.from(String(message)));
      onMail?.(kept);
    },
    close() {},
  };
}

/** With `requireTLS` nothing is said to a server that does not offer STARTTLS: a mail holds what signs its reader in. */
function smtpMailer(smtpUrl: string, from: string, { requireTLS }: { requireTLS: boolean }): Mailer {
  const url = requireTLS ? withoutOptOut(smtpUrl) : smtpUrl;
  const times = { connectionTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS, socketTimeout: LIMIT_MS };
  const transport = createTransport({ url, pool: true, requireTLS, ...times, ...CLOSED });
  return {
    async send(mail) {
      requireSafe(mail);
      await transport.sendMail(messageOf(mail, from));
    },
    close: () => transport.close(),
  };
}

/** What a URL says beats the other options. */
function withoutOptOut(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const name of ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'secure']) url.searchParams.delete(name);
  return url.href;
}

/** The recipient goes in as one address that is not parsed again. */
const messageOf = ({ to, subject, text, html }: Mail, from: string) => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
});

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The http(s) addresses of a mail, those of its text first, each once. */
export function linksOf({ text, html }: Pick<Mail, 'text' | 'html'>): string[] {
  const inText = [...text.matchAll(/https?:\/\/[^\s<>"]+/gu)].map(([link]) => link.replace(/[.,;:!?)\]]+$/u, ''));
  const inHtml = [...html.matchAll(/\shref="(https?:\/\/[^"]+)"/gu)].map(([, link = '']) =>
    link.replaceAll(/&(amp|lt|gt|quot|#39);/gu, (entity, name: string) => ENTITIES[name] ?? entity),
  );
  return [...new Set([...inText, ...inHtml])];
}
