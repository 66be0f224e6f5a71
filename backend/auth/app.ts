import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { isDatabaseGone } from '#db/database-gone.ts';
import { updateUser } from './account/update-user.ts';
import { ADMIN_METHODS, adminRoutes } from './admin/admin-routes.ts';
import { isVerifyType } from './codes/one-time-tokens.ts';
import { reauthenticate } from './codes/reauthenticate.ts';
import { redeemProof } from './codes/redeem-proof.ts';
import { FACTOR_METHODS, factorRoutes } from './factors/factor-routes.ts';
import { readHooks } from './hooks/hook-options.ts';
import { AuthError, errorResponse } from './kit/auth-error.ts';
import type { AuthContext, Caller } from './kit/context.ts';
import { AUTH_LIMITS, BODY_LIMIT } from './kit/limits.ts';
import type { AuthOptions } from './kit/options.ts';
import { countTry } from './kit/rate-limit.ts';
import { allowedRedirect, withError } from './kit/redirects.ts';
import {
  IdTokenBody,
  OtpBody,
  PkceBody,
  RecoverBody,
  RefreshBody,
  ResendBody,
  readBody,
  readChallenge,
  requireEmail,
  UserBody,
  VerifyBody,
} from './kit/request-body.ts';
import { authSettings } from './kit/settings.ts';
import { createSweeper } from './kit/sweep.ts';
import { askForLink } from './links/ask-for-link.ts';
import { earlyVisit } from './links/early-visit.ts';
import { exchangePkceCode } from './links/exchange-pkce-code.ts';
import { linkExpired, openLink } from './links/open-link.ts';
import { recover } from './links/recover.ts';
import { resend } from './links/resend.ts';
import { createDiscovery } from './oauth/discovery.ts';
import { exchangeOauthCode } from './oauth/exchange-oauth-code.ts';
import { OAUTH_METHODS, oauthRoutes } from './oauth/oauth-routes.ts';
import { takeIdToken } from './oauth/take-id-token.ts';
import { getUser } from './people/get-user.ts';
import { readMetadata } from './people/metadata.ts';
import { askForCode } from './phone/ask-for-code.ts';
import { requirePhone } from './phone/phone-number.ts';
import { resendCode } from './phone/resend-code.ts';
import { RECOVERY_CODE_METHODS, recoveryCodeRoutes } from './recovery-codes/routes.ts';
import { logOut } from './sessions/log-out.ts';
import { refreshSession } from './sessions/refresh-session.ts';
import { SWITCHED_OFF_METHODS, switchedOffRoutes } from './switched-off.ts';
import { createTokenVerifier } from './tokens/access-token.ts';
import { listPublicJwks } from './tokens/public-keys.ts';
import { createSigningKeys } from './tokens/signing-keys.ts';

export type AuthApp = Hono<{ Variables: { caller: Caller; isService: boolean } }>;

/**
 * GoTrue's protocol, as far as supabase-js needs it to sign people in by e-mail and at others. To be mounted at /auth/v1. Who may call at all
 * (the `apikey` header, CORS) is the mounting app's to check.
 */
export function createAuthApp(options: AuthOptions): AuthApp {
  const context: AuthContext = {
    ...options,
    hooks: readHooks(options.hooks),
    signingKeys: createSigningKeys(options),
    tokens: createTokenVerifier(options),
    identityProviders: options.identityProviders ?? [],
    discover: createDiscovery(),
  };
  const sweep = createSweeper(options.db, (err) =>
    options.log.error({ err }, 'Old sign-in requests could not be swept'),
  );
  const app: AuthApp = new Hono();

  app.onError((error, c) => errorResponse(c.req.raw, known(error, context)));
  // Before anything replaces the request: whoever mounts this may know addresses by request.
  app.use((c, next) => {
    c.set('isService', options.isService(c.req.raw));
    c.set('caller', { ip: options.clientIp(c.req.raw), userAgent: c.req.header('User-Agent') });
    return next();
  });
  app.use(limitBody);
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

  app.post('/otp', async (c) => {
    await countTry(context, AUTH_LIMITS.asks, c.get('caller'));
    const body = await readBody(c.req.raw, OtpBody);
    if (body.phone && !body.email) {
      await askForCode(context, { phone: requirePhone(body.phone), ip: c.get('caller').ip });
      return c.json({});
    }
    const asked = await askForLink(context, {
      email: requireEmail(body),
      type: 'magiclink',
      createUser: body.create_user ?? true,
      metadata: readMetadata(body.data),
      challenge: readChallenge(body),
      redirectTo: allowedRedirect(context, c.req.query('redirect_to')),
      ip: c.get('caller').ip,
    });
    sweep();
    return c.json({}, 200, asked.sent ? {} : headersOf(asked));
  });
  app.post('/resend', async (c) => {
    await countTry(context, AUTH_LIMITS.asks, c.get('caller'));
    const body = await readBody(c.req.raw, ResendBody);
    if (body.type === 'sms' || body.type === 'phone_change') {
      await resendCode(context, { type: body.type, phone: requirePhone(body.phone), ip: c.get('caller').ip });
      return c.json({});
    }
    await resend(context, {
      email: requireEmail(body),
      type: body.type,
      challenge: readChallenge(body),
      redirectTo: allowedRedirect(context, c.req.query('redirect_to')),
      ip: c.get('caller').ip,
    });
    return c.json({});
  });

  app.post('/recover', async (c) => {
    await countTry(context, AUTH_LIMITS.asks, c.get('caller'));
    const body = await readBody(c.req.raw, RecoverBody);
    await recover(context, {
      email: requireEmail(body),
      challenge: readChallenge(body),
      redirectTo: allowedRedirect(context, c.req.query('redirect_to')),
      ip: c.get('caller').ip,
    });
    return c.json({});
  });

  app.get('/verify', async (c) => {
    c.header('Referrer-Policy', 'no-referrer');
    const early = earlyVisit(c.req.raw);
    if (early) return c.body(null, early);
    const redirectTo = allowedRedirect(context, c.req.query('redirect_to'));
    try {
      const type = c.req.query('type');
      if (!isVerifyType(type)) throw linkExpired();
      const token = c.req.query('token') ?? c.req.query('token_hash') ?? '';
      return c.redirect(await openLink(context, { token, type, redirectTo }, c.get('caller')), 303);
    } catch (error) {
      return c.redirect(withError(redirectTo, known(error, context)), 303);
    }
  });
  app.post('/verify', async (c) => {
    const caller = c.get('caller');
    await countTry(context, AUTH_LIMITS.guesses, caller);
    const body = await readBody(c.req.raw, VerifyBody);
    if (body.token_hash) return c.json(await redeemProof(context, { linkToken: body.token_hash }, body.type, caller));
    if (!body.token) throw new AuthError(400, 'validation_failed', 'token or token_hash is required');
    const isPhone = body.type === 'sms' || body.type === 'phone_change';
    const proof = {
      email: isPhone ? requirePhone(body.phone) : requireEmail(body),
      code: body.token.replace(/[\s-]/g, ''),
    };
    return c.json(await redeemProof(context, proof, body.type, caller));
  });

  app.post('/token', async (c) => {
    const caller = c.get('caller');
    const grant = c.req.query('grant_type');
    if (grant === 'refresh_token') {
      const { refresh_token: token } = await readBody(c.req.raw, RefreshBody);
      const answer = await refreshSession(context, token, caller);
      sweep();
      return c.json(answer);
    }
    await countTry(context, AUTH_LIMITS.tokens, caller);
    switch (grant) {
      case 'pkce': {
        const body = await readBody(c.req.raw, PkceBody);
        const given = { authCode: body.auth_code, verifier: body.code_verifier };
        return c.json(
          (await exchangeOauthCode(context, given, caller)) ?? (await exchangePkceCode(context, given, caller)),
        );
      }
      case 'id_token':
        return c.json(await takeIdToken(context, c.req.raw, await readBody(c.req.raw, IdTokenBody), caller));
      case 'password':
        throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
      case 'web3':
        throw new AuthError(422, 'web3_provider_disabled', 'Web3 provider is disabled');
      default:
        throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
    }
  });
  app.post('/signup', async (c) => {
    const { email, phone } = await readBody(c.req.raw, OtpBody);
    throw email || phone
      ? new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance')
      : new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  });

  app.get('/user', async (c) => c.json(await getUser(context, c.req.raw)));
  app.put('/user', async (c) => {
    const body = await readBody(c.req.raw, UserBody);
    const redirectTo = allowedRedirect(context, c.req.query('redirect_to'));
    const mailing = { challenge: readChallenge(body), redirectTo };
    return c.json(await updateUser(context, c.req.raw, body, mailing, c.get('caller')));
  });
  app.get('/reauthenticate', async (c) => {
    await reauthenticate(context, c.req.raw, c.get('caller'));
    return c.json({});
  });
  app.post('/logout', async (c) => {
    await logOut(context, c.req.raw, c.req.query('scope') || 'global', c.get('caller'));
    return c.body(null, 204);
  });

  switchedOffRoutes(app, context);
  recoveryCodeRoutes(app, context);
  factorRoutes(app, context);
  oauthRoutes(app, context, (error) => known(error, context));
  adminRoutes(app, context);

  for (const [path, allow] of Object.entries(METHODS)) app.all(path, () => wrongMethod(allow));
  // Not app.notFound: the app that this one is mounted in would answer in its place.
  app.all('*', (c) => {
    throw new AuthError(404, 'not_found', `There is no ${c.req.path} here`);
  });
  return app;
}

/** What each path answers to; everything else there is 405. */
/** For our page: when the link went out that its browser may finish with, and when another may be sent. */
const headersOf = ({ since, resetsInMs }: { since?: Date; resetsInMs: number }): Record<string, string> => ({
  'Retry-After': String(Math.max(1, Math.ceil(resetsInMs / 1000))),
  ...(since ? { 'Fairlead-Link-Sent-At': since.toISOString() } : {}),
});

const METHODS = {
  '/health': 'GET, HEAD',
  '/settings': 'GET, HEAD',
  '/.well-known/jwks.json': 'GET, HEAD',
  '/otp': 'POST',
  '/resend': 'POST',
  '/verify': 'GET, HEAD, POST',
  '/token': 'POST',
  '/signup': 'POST',
  '/user': 'GET, HEAD, PUT',
  '/reauthenticate': 'GET, HEAD',
  '/recover': 'POST',
  '/logout': 'POST',
  ...SWITCHED_OFF_METHODS,
  ...RECOVERY_CODE_METHODS,
  ...FACTOR_METHODS,
  ...OAUTH_METHODS,
  ...ADMIN_METHODS,
};

function wrongMethod(allow: string): never {
  throw new AuthError(405, 'method_not_allowed', `This path accepts ${allow}`, { Allow: allow });
}

const measureBody = bodyLimit({ maxSize: BODY_LIMIT, onError: tooLarge });

/** Where the length is announced, Hono's own would open the body first, which costs more than to read it. */
const limitBody: MiddlewareHandler = (c, next) => {
  const announced = c.req.header('Content-Length');
  if (announced === undefined || c.req.header('Transfer-Encoding') !== undefined) return measureBody(c, next);
  if (Number(announced) > BODY_LIMIT) tooLarge();
  return next();
};

function tooLarge(): never {
  // The rest of the body is not read, so the connection cannot carry another request.
  const headers = { Connection: 'close' };
  throw new AuthError(413, 'request_too_large', `The body must be under ${BODY_LIMIT / 1024} kB`, headers);
}

/** The error itself when it is meant to be read; anything else is logged and answered without its contents. */
function known(error: unknown, { log }: AuthContext): AuthError {
  if (error instanceof AuthError) return error;
  if (isDatabaseGone(error))
    return new AuthError(
      503,
      'unexpected_failure',
      'The database cannot be reached right now. Try again in a few seconds.',
      {
        'Retry-After': '5',
      },
    );
  log.error({ err: error }, 'An auth request failed');
  return new AuthError(500, 'unexpected_failure', 'Something went wrong on our side. Please try again.');
}
