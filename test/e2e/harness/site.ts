import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { PROVIDER_IDS } from '#contract/providers.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { startServer } from '#test/servers/server-process.ts';

/** A mail as /outbox.json shows it. */
export type Mail = { to: string; subject: string; text: string; html: string; links: string[]; sentAt: string };

/** Someone's session, got without a browser. */
export type Session = {
  email: string;
  userId: string;
  accessToken: string;
  /** As the browser app keeps it in localStorage. */
  stored: string;
};

export type Site = {
  url: string;
  /** All that the server has printed. */
  output(): string;
  mails(): Promise<Mail[]>;
  /** The newest mail to an address, once there are `count` of them. */
  mailTo(email: string, count?: number): Promise<Mail>;
  /** Signs someone in whom the gate lets in, by the code of a mail. */
  signIn(email: string): Promise<Session>;
  /** Saves a provider key after its test. */
  connect(session: Session, provider: (typeof PROVIDER_IDS)[number], apiKey: string): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a Fairlead with its own data folder. Without a database address it runs its own PostgreSQL. */
export async function startSite({
  databaseUrl,
  env = {},
}: {
  databaseUrl?: string | undefined;
  env?: Record<string, string> | undefined;
}): Promise<Site> {
  const folder = temporaryFolder();
  const elsewhere = databaseUrl
    ? { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: randomBytes(32).toString('base64') }
    : {};
  const server = startServer({ DATA_DIR: folder, ...elsewhere, ...env });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = new URL(await server.ready()).origin;
    const calls = callsTo(url);
    return { url, output: () => server.output, stop, ...calls };
  } catch (error) {
    await stop();
    throw error;
  }
}

function callsTo(url: string): Pick<Site, 'mails' | 'mailTo' | 'signIn' | 'connect'> {
  const mails = async () => (await (await fetch(`${url}/outbox.json`)).json()) as Mail[];
  const mailTo = async (email: string, count = 1): Promise<Mail> => {
    for (let tries = 0; tries < 100; tries += 1) {
      const found = (await mails()).filter(({ to }) => to === email);
      const [newest] = found;
      if (newest && found.length >= count) return newest;
      await pause(50);
    }
    throw new Error(`No mail no. ${count} to ${email} came.`);
  };
  const post = async (path: string, headers: Record<string, string>, body: unknown): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    mails,
    mailTo,
    async signIn(email) {
      const { backendKey } = (await (await fetch(`${url}/config.json`)).json()) as { backendKey: string };
      const known = (await mails()).filter(({ to }) => to === email).length;
      await post('/auth/v1/otp', { apikey: backendKey }, { email, create_user: true });
      const token = codeOf(await mailTo(email, known + 1));
      const session = (await post('/auth/v1/verify', { apikey: backendKey }, { type: 'email', email, token })) as {
        access_token: string;
        user: { id: string };
      };
      const { access_token: accessToken, user } = session;
      return { email, userId: user.id, accessToken, stored: JSON.stringify(session) };
    },
    async connect({ accessToken }, provider, apiKey) {
      const headers = { authorization: `Bearer ${accessToken}` };
      const answer = (await post('/api/keys/test', headers, { provider, apiKey, save: true })) as {
        data: { saved: boolean; error?: string | null };
      };
      if (!answer.data.saved) throw new Error(`The key ${apiKey} was not saved: ${answer.data.error}`);
    },
  };
}

/** The six digits of a mail that signs in or asks who is there. */
export function codeOf(mail: Mail): string {
  const code = /type this code [^:\n]*: (\d{6})\b/i.exec(mail.text)?.[1];
  if (!code) throw new Error(`There is no code in the mail:\n${mail.text}`);
  return code;
}

/** The link of a sign-in mail. */
export function linkOf(mail: Mail): string {
  const link = mail.links.find((one) => one.includes('/auth/v1/verify'));
  if (!link) throw new Error(`There is no sign-in link in the mail:\n${mail.text}`);
  return link;
}
