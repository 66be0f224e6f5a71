import { serve } from '@hono/node-server';
import pg from 'pg';
import { createBackendApp } from '#backend/app.ts';
import type { AccessGate } from '#backend/auth/kit/access-gate.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthOptions } from '#backend/auth/kit/options.ts';
import { createTokenVerifier } from '#backend/auth/tokens/access-token.ts';
import { REALTIME_CHANNELS } from '#backend/realtime/options.ts';
import { createRealtime } from '#backend/realtime/realtime.ts';
import { createFileStore } from '#backend/storage/file-store.ts';
import { connect } from '#db/connection/client.ts';
import { applyMigrations } from '#db/migrations/apply-migrations.ts';
import { backendMigrations } from '#db/migrations/our-migrations.ts';
import { listen } from '#db/notifications.ts';
import { createVault } from '#db/sealed/vault.ts';
import type { HookOptions } from './auth-hooks/hook-options.ts';
import { createHttpHooks } from './auth-hooks/http-hooks.ts';

// Our backend in hosted Supabase's place, as a process of its own. It knows of the app what Supabase would: two
// webhooks. The app may not look at its tables.

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

const userOf = (id: string) => db.selectFrom('auth.users').selectAll().where('id', '=', id).executeTakeFirst();

// Supabase has no gate but its hooks, and gives no one a role.
const open = async () => ({ allow: true, as: 'hosted' }) as const;
const gate: AccessGate = {
  decide: open,
  decideToMove: open,
  decideToStay: open,
  async admit(_tx, { id }) {
    const metadata = (await userOf(id))?.raw_user_meta_data;
    return { allow: true, role: JSON.stringify(metadata ?? {}).includes('"role":"admin"') ? 'admin' : 'user' };
  },
};
const log: AuthOptions['log'] = { info() {}, error: (fields, message) => console.error(message, fields) };
const hookAt = (path: string): HookOptions => ({
  uri: `${site}/api/auth/hooks/${path}`,
  secrets: [env('HOOK_SECRET')],
});

const server = serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => app.fetch(request) }, ({ port }) => {
  const url = `http://127.0.0.1:${port}`;
  const issuer = `${url}/auth/v1`;
  const verifyAccessToken = createTokenVerifier({ db, issuer }).verify;
  const realtime = createRealtime({
    db,
    pool,
    notifications,
    verifyAccessToken,
    isKey: (key) => key === env('PUBLISHABLE_KEY'),
    socketIp: () => '192.0.2.1',
    log: { warn: (fields, message) => console.error(message, fields) },
  });
  server.on('upgrade', realtime.upgrade);
  app = createBackendApp({
    db,
    pool,
    slowPool: pool,
    issuer,
    gate,
    realtime,
    verifyAccessToken,
    siteUrl: url,
    hooks: createHttpHooks(
      { issuer, siteUrl: url, log },
      { beforeUserCreated: hookAt('before-user-created'), customAccessToken: hookAt('custom-access-token') },
    ),
    publishableKey: env('PUBLISHABLE_KEY'),
    secretKey: env('SECRET_KEY'),
    vault: createVault([Buffer.alloc(32, 9).toString('base64')]),
    ...(env('FILES') ? { files: createFileStore(env('FILES')) } : {}),
    async sendMail({ to, text }) {
      // Like the mail server that a project has before it gets one of its own.
      if (!to.endsWith('@people.example'))
        throw new AuthError(
          400,
          'email_address_not_authorized',
          `Email address "${to}" cannot be used as it is not authorized`,
        );
      console.log(`Mail for ${to}: ${/^http\S+$/m.exec(text)?.[0]}`);
    },
    async sendSms({ to, text }) {
      console.log(`Text for ${to}: ${text}`);
      return 'sent';
    },
    allowedRedirects: [site],
    allowedOrigins: [site],
    clientIp: () => '192.0.2.1',
    log,
    async onEvent() {},
  });
  console.log(`Fairlead is ready: ${url}`);
});
let app = { fetch: (_request: Request): Response | Promise<Response> => new Response(null, { status: 503 }) };
