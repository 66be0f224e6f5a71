import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Hono } from 'hono';
import { sql } from 'kysely';
import { createAuthApp } from '#backend/auth/app.ts';
import type { AccessDenial, AccessGate } from '#backend/auth/kit/access-gate.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { AuthHooks } from '#backend/auth/kit/hooks.ts';
import type { IdentityProvider } from '#backend/auth/kit/identity-provider.ts';
import type { AuthEvent } from '#backend/auth/kit/options.ts';
import { connect, type Db } from '#db/connection/client.ts';
import { assuming } from '#db/roles/server-role.ts';
import { createVault } from '#db/sealed/vault.ts';

/** Where tests pretend that the site is. Nothing listens there: redirects are read, not followed. */
export const SITE = 'http://site.example';
const KEY = Buffer.alloc(32, 7).toString('base64');

/** Opens the admin API. */
export const SECRET_KEY = 'sb_secret_test';

/** No text message can be sent to it. */
export const NO_PHONE = '+15005550001';

type Mail = { to: string; subject: string; text: string; html: string };

/** An auth server of its own on `databaseUrl`, over real HTTP, with a gate that tests can close and a mailbox that they can read. */
export async function startAuth(
  databaseUrl: string,
  {
    identityProviders = [],
    hooks = () => ({}),
  }: {
    identityProviders?: readonly IdentityProvider[];
    hooks?: (site: Pick<AuthContext, 'issuer' | 'log' | 'siteUrl'>) => AuthHooks;
  } = {},
) {
  const { db } = connect(databaseUrl);
  const { db: webDb } = connect(assuming(databaseUrl, 'web'));
  const mails: Mail[] = [];
  const logged: string[] = [];
  const gate = createFakeGate(db);
  const events: AuthEvent[] = [];
  const texts: { to: string; text: string }[] = [];
  const mailer: { broken: boolean | Error } = { broken: false };
  const record = (fields: object, message: string) => logged.push(JSON.stringify({ ...fields, message }));
  // By request, as the backend does it: what replaces the request loses the address.
  const ips = new WeakMap<Request, string>();
  const app = new Hono();
  app.use((c, next) => {
    ips.set(c.req.raw, c.req.header('x-test-ip') ?? '192.0.2.1');
    return next();
  });
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server;
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${SITE}/auth/v1`;
  app.route(
    '/auth/v1',
    createAuthApp({
      db: webDb,
      vault: createVault([KEY]),
      gate,
      async sendMail(mail) {
        if (mailer.broken instanceof Error) throw mailer.broken;
        if (mailer.broken) throw new Error(`no such mail server for ${mail.to}`);
        mails.push(mail);
      },
      async sendSms(message) {
        if (mailer.broken) throw new Error(`no way to ${message.to}`);
        if (message.to === NO_PHONE) return 'bad number';
        texts.push(message);
        return 'sent';
      },
      issuer,
      siteUrl: SITE,
      allowedRedirects: [SITE],
      identityProviders,
      hooks: hooks({ issuer, siteUrl: SITE, log: { info: record, error: record } }),
      clientIp: (request) => ips.get(request) ?? 'unknown',
      isService: (request) => request.headers.get('apikey') === SECRET_KEY,
      log: { info: record, error: record },
      async onEvent(_db, event) {
        events.push(event);
      },
    }),
  );

  /** What the newest mail to `email` offers. Its link leads to this server, which stands in for the site. */
  function mailTo(email: string) {
    const mail = mails.findLast((one) => one.to === email);
    const link = mail?.text.match(/^http\S+$/m)?.[0];
    const code = mail?.text.match(/: (\d{6})$/m)?.[1];
    if (!mail || !link || !code) throw new Error(`There is no sign-in mail to ${email}`);
    return { mail, code, link: link.replace(SITE, url), token: new URL(link).searchParams.get('token') ?? '' };
  }

  async function signIn(email: string, client = makeClient(url)) {
    const asked = await client.auth.signInWithOtp({ email });
    if (asked.error) throw asked.error;
    const { data, error } = await client.auth.verifyOtp({ email, token: mailTo(email).code, type: 'email' });
    if (error || !data.session) throw error ?? new Error('There is no session');
    await forgetLimits(db);
    return { client, session: data.session };
  }

  return {
    url,
    api: `${url}/auth/v1`,
    issuer,
    databaseUrl,
    db,
    gate,
    mails,
    texts,
    /** The code of the newest text message to a number, with the plus. */
    textTo: (phone: string) => texts.findLast(({ to }) => to === phone)?.text.match(/^\d{6}/)?.[0] ?? '',
    mailer,
    logged,
    events,
    mailTo,
    signIn,
    client: (options?: ClientOptions) => makeClient(url, options),
    admin: createClient(url, SECRET_KEY, { auth: { persistSession: false, autoRefreshToken: false } }).auth.admin,
    async close() {
      server.close();
      server.closeAllConnections();
      await Promise.all([db.destroy(), webDb.destroy()]);
    },
  };
}

/** Lets the next try pass: tests sign in more often than people do. */
export const forgetLimits = (db: Db) => sql`delete from app.rate_limits`.execute(db);

type ClientOptions = { flowType?: 'pkce' | 'implicit'; ip?: string };

/** supabase-js as the browser uses it, each with a storage of its own: another one is another device. */
function makeClient(url: string, { flowType = 'pkce', ip = '192.0.2.1' }: ClientOptions = {}): SupabaseClient {
  const stored = new Map<string, string>();
  return createClient(url, 'test-key', {
    auth: {
      flowType,
      experimental: { recoveryCodes: true },
      autoRefreshToken: false,
      detectSessionInUrl: false,
      // One storage key each, because supabase-js warns about clients that share one.
      storageKey: `test-${counter++}`,
      storage: {
        getItem: (name) => stored.get(name) ?? null,
        setItem: (name, value) => void stored.set(name, value),
        removeItem: (name) => void stored.delete(name),
      },
    },
    global: { headers: { 'x-test-ip': ip } },
  });
}
let counter = 0;

/** Lets everyone in but those in `denied`; writes profiles as the real gate does. */
function createFakeGate(db: Db): AccessGate & { denied: Map<string, AccessDenial> } {
  const denied = new Map<string, AccessDenial>();
  const decide: AccessGate['decide'] = async (email) => {
    const profile = await db.selectFrom('app.profiles').select('status').where('email', '=', email).executeTakeFirst();
    if (profile?.status === 'disabled')
      return { allow: false, reason: 'DISABLED', message: 'This account is disabled.' };
    return denied.get(email) ?? { allow: true, as: 'known' };
  };
  return {
    denied,
    decide,
    decideToStay: decide,
    decideToMove: (_from, to) => decide(to),
    async admit(tx, { id, email }, decided) {
      if (!decided.allow) return decided;
      const profile = await tx
        .insertInto('app.profiles')
        .values({ user_id: id, email, last_sign_in_at: new Date() })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ email, last_sign_in_at: new Date() }))
        .returning(['role', 'status'])
        .executeTakeFirstOrThrow();
      if (profile.status === 'disabled')
        return { allow: false, reason: 'DISABLED', message: 'This account is disabled.' };
      return { allow: true, role: profile.role === 'admin' ? 'admin' : 'user' };
    },
  };
}
