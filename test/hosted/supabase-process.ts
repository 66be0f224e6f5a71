import { createHmac, randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import pg from 'pg';
import { createBackend } from '#backend/app.ts';
import { createTokenVerifier } from '#backend/auth/access-token.ts';
import type { AccessDecision, AccessGate } from '#backend/auth/options.ts';
import { REALTIME_CHANNELS } from '#backend/realtime/options.ts';
import { createRealtime } from '#backend/realtime/realtime.ts';
import { createFileStore } from '#backend/storage/file-store.ts';
import { connect } from '#db/client.ts';
import { applyMigrations } from '#db/migrations/apply-migrations.ts';
import { backendMigrations } from '#db/migrations/our-migrations.ts';
import { listen } from '#db/notifications.ts';
import { createVault } from '#db/vault.ts';

// Our backend in hosted Supabase's place, as a process of its own: it knows of the app what Supabase would, which is two webhooks, and
// the app may not look at its tables.

const env = (name: string) => process.env[name] ?? '';
const databaseUrl = env('DATABASE_URL');
const site = env('SITE_URL');

const owner = new pg.Client({ connectionString: databaseUrl });
await owner.connect();
await applyMigrations(owner, 'backend_migrations', backendMigrations());
await owner.query('revoke all on all tables in schema auth from service_role');
await owner.end();

const { db, pool } = connect(databaseUrl);
const notifications = await listen(databaseUrl, [...REALTIME_CHANNELS, 'pgrst']);

/** Asks a hook of the app as Supabase Auth does. */
async function ask(path: string, event: object): Promise<AccessDecision> {
  const body = JSON.stringify(event);
  const [id, at] = [`msg_${randomUUID()}`, String(Math.floor(Date.now() / 1000))];
  const key = Buffer.from(env('HOOK_SECRET').replace(/^v1,whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
  const response = await fetch(`${site}/api/auth/hooks/${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  const answer = (await response.json()) as { error?: { message: string } };
  if (response.ok && !answer.error) return { allow: true, as: 'hosted' };
  return { allow: false, reason: 'HOOK', message: answer.error?.message ?? 'The hook failed.' };
}

const userOf = (email: string) => db.selectFrom('auth.users').selectAll().where('email', '=', email).executeTakeFirst();

const askForToken = (user: { id: string; email: string }, method: string) =>
  ask('custom-access-token', {
    user_id: user.id,
    claims: { sub: user.id, email: user.email, is_anonymous: false },
    authentication_method: method,
  });

async function decide(email: string): Promise<AccessDecision> {
  if (await userOf(email)) return { allow: true, as: 'hosted' };
  const user = { email, is_anonymous: false };
  return ask('before-user-created', { metadata: { name: 'before-user-created', ip_address: '192.0.2.1' }, user });
}

const gate: AccessGate = {
  decide,
  decideToMove: (_from, to) => decide(to),
  async decideToStay(email) {
    const user = await userOf(email);
    return user ? askForToken({ id: user.id, email }, 'token_refresh') : decide(email);
  },
  // While the account is locked: the worst moment at which Supabase might ask.
  async admit(_tx, user) {
    const decision = await askForToken(user, 'otp');
    if (!decision.allow) return decision;
    const metadata = (await userOf(user.email))?.raw_user_meta_data;
    const isAdmin = JSON.stringify(metadata ?? {}).includes('"role":"admin"');
    return { allow: true, role: isAdmin ? 'admin' : 'user' };
  },
};

const server = serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => app.fetch(request) }, ({ port }) => {
  const url = `http://127.0.0.1:${port}`;
  const issuer = `${url}/auth/v1`;
  const verifyAccessToken = createTokenVerifier({ db, issuer }).verify;
  const realtime = createRealtime({
    ...{ db, pool, notifications, verifyAccessToken },
    isKey: (key) => key === env('PUBLISHABLE_KEY'),
    socketIp: () => '192.0.2.1',
    log: { warn: (fields, message) => console.error(message, fields) },
  });
  server.on('upgrade', realtime.upgrade);
  app = createBackend({
    ...{ db, pool, issuer, gate, realtime, verifyAccessToken },
    siteUrl: url,
    publishableKey: env('PUBLISHABLE_KEY'),
    secretKey: env('SECRET_KEY'),
    vault: createVault([Buffer.alloc(32, 9).toString('base64')]),
    ...(env('FILES') ? { files: createFileStore(env('FILES')) } : {}),
    sendMail: async ({ to, text }) => console.log(`Mail for ${to}: ${/^http\S+$/m.exec(text)?.[0]}`),
    async sendSms({ to, text }) {
      console.log(`Text for ${to}: ${text}`);
      return 'sent';
    },
    allowedRedirects: [site],
    allowedOrigins: [site],
    clientIp: () => '192.0.2.1',
    log: { info() {}, error: (fields, message) => console.error(message, fields) },
    async onEvent() {},
  });
  console.log(`Fairlead is ready: ${url}`);
});
let app = { fetch: (_request: Request): Response | Promise<Response> => new Response(null, { status: 503 }) };
