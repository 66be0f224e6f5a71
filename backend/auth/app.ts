import { Hono } from 'hono';
import { USER_METHODS, userRoutes } from './account/user-routes.ts';
import { ADMIN_METHODS, adminRoutes } from './admin/admin-routes.ts';
import { FACTOR_METHODS, factorRoutes } from './factors/factor-routes.ts';
import type { AuthApp } from './kit/auth-app.ts';
import { AuthError, errorResponse } from './kit/auth-error.ts';
import type { AuthContext } from './kit/context.ts';
import { limitAuthBody } from './kit/limit-body.ts';
import type { AuthOptions } from './kit/options.ts';
import { readableError } from './kit/readable-error.ts';
import { authSettings } from './kit/settings.ts';
import { createSweeper } from './kit/sweep.ts';
import { LINK_METHODS, linkRoutes } from './links/link-routes.ts';
import { createDiscovery } from './oauth/discovery.ts';
import { OAUTH_METHODS, oauthRoutes } from './oauth/oauth-routes.ts';
import { RECOVERY_CODE_METHODS, recoveryCodeRoutes } from './recovery-codes/routes.ts';
import { TOKEN_METHODS, tokenRoutes } from './sessions/token-routes.ts';
import { SWITCHED_OFF_METHODS, switchedOffRoutes } from './switched-off.ts';
import { createTokenVerifier } from './tokens/access-token.ts';
import { listPublicJwks } from './tokens/public-keys.ts';
import { createSigningKeys } from './tokens/signing-keys.ts';

/**
 * GoTrue's protocol, as far as supabase-js needs it to sign people in. To be mounted at /auth/v1.
 * - The app that mounts it checks who may call at all: the `apikey` header, CORS.
 */
export function createAuthApp(options: AuthOptions): AuthApp {
  const context: AuthContext = {
    ...options,
    hooks: options.hooks ?? {},
    signingKeys: createSigningKeys(options),
    tokens: createTokenVerifier(options),
    identityProviders: options.identityProviders ?? [],
    discover: createDiscovery(),
  };
  const sweep = createSweeper(options.db, (err) =>
    options.log.error({ err }, 'Old sign-in requests could not be swept'),
  );
  const app: AuthApp = new Hono();

  app.onError((error, c) => errorResponse(c.req.raw, readableError(error, context)));
  // Before anything replaces the request: the app that mounts this may know addresses by request.
  app.use((c, next) => {
    c.set('isService', options.isService(c.req.raw));
    c.set('caller', { ip: options.clientIp(c.req.raw), userAgent: c.req.header('User-Agent') });
    return next();
  });
  app.use(limitAuthBody);
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'no-store');
  });

  app.get('/health', (c) => c.json({ version: 'v1', name: 'Fairlead Auth', description: 'Signs people in by email' }));
  app.get('/settings', (c) => c.json(authSettings(context)));
  app.get('/.well-known/jwks.json', async (c) => {
    await context.signingKeys.current();
    return c.json({ keys: await listPublicJwks(context.db) }, 200, { 'Cache-Control': 'public, max-age=600' });
  });

  linkRoutes(app, context, sweep);
  tokenRoutes(app, context, sweep);
  userRoutes(app, context);
  switchedOffRoutes(app, context);
  recoveryCodeRoutes(app, context);
  factorRoutes(app, context);
  oauthRoutes(app, context);
  adminRoutes(app, context);

  for (const [path, allow] of Object.entries(METHODS)) app.all(path, () => wrongMethod(allow));
  // Not app.notFound: the app that this one is mounted in would answer in its place.
  app.all('*', (c) => {
    throw new AuthError(404, 'not_found', `There is no ${c.req.path} here`);
  });
  return app;
}

/** The methods that each path accepts; any other is 405. */
const METHODS = {
  '/health': 'GET, HEAD',
  '/settings': 'GET, HEAD',
  '/.well-known/jwks.json': 'GET, HEAD',
  ...LINK_METHODS,
  ...TOKEN_METHODS,
  ...USER_METHODS,
  ...SWITCHED_OFF_METHODS,
  ...RECOVERY_CODE_METHODS,
  ...FACTOR_METHODS,
  ...OAUTH_METHODS,
  ...ADMIN_METHODS,
};

function wrongMethod(allow: string): never {
  throw new AuthError(405, 'method_not_allowed', `This path accepts ${allow}`, { Allow: allow });
}
