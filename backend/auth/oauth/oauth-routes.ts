import type { Context } from 'hono';
import { requireFresh } from '#backend/auth/codes/reauthenticate.ts';
import type { AuthApp } from '#backend/auth/kit/auth-app.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { readableError } from '#backend/auth/kit/readable-error.ts';
import { allowedRedirect, withError } from '#backend/auth/kit/redirects.ts';
import { readBody, readChallenge, SsoBody } from '#backend/auth/kit/request-body.ts';
import { earlyVisit } from '#backend/auth/links/early-visit.ts';
import { authenticateActive } from '#backend/auth/people/authenticate.ts';
import { requireSecondStep } from '#backend/auth/people/require-second-step.ts';
import { beginOauth, findProvider } from './begin-oauth.ts';
import { takeFlow } from './flows.ts';
import { returnFromProvider } from './return-from-provider.ts';
import { unlinkIdentity } from './unlink-identity.ts';

/** The methods that each path accepts. */
export const OAUTH_METHODS = {
  '/authorize': 'GET, HEAD',
  '/callback': 'GET, HEAD',
  '/user/identities/authorize': 'GET, HEAD',
  '/user/identities/:id': 'DELETE',
  '/sso': 'POST',
};

/** Signing in with another provider, and the identities that come of it. */
export function oauthRoutes(app: AuthApp, context: AuthContext): void {
  const flowOf = (c: Context) => ({
    challenge: readChallenge(c.req.query()),
    redirectTo: allowedRedirect(context, c.req.query('redirect_to')),
  });

  app.get('/authorize', async (c) => {
    const early = earlyVisit(c.req.raw);
    if (early) return c.body(null, early);
    const provider = findProvider(context, c.req.query('provider'));
    const flow = flowOf(c);
    try {
      await countTry(context, AUTH_LIMITS.departures, c.get('caller'));
      return c.redirect(await beginOauth(context, provider, flow, c.req.query()), 302);
    } catch (error) {
      return c.redirect(withError(flow.redirectTo, readableError(error, context)), 302);
    }
  });
  app.get('/callback', async (c) => {
    c.header('Referrer-Policy', 'no-referrer');
    const early = earlyVisit(c.req.raw);
    if (early) return c.body(null, early);
    const caller = c.get('caller');
    let backTo = context.siteUrl;
    try {
      await countTry(context, AUTH_LIMITS.guesses, caller);
      const flow = await takeFlow(context, c.req.query('state'));
      backTo = flow.redirect_to;
      return c.redirect(await returnFromProvider(context, flow, new URL(c.req.url).searchParams, caller), 302);
    } catch (error) {
      return c.redirect(withError(backTo, readableError(error, context)), 302);
    }
  });

  app.get('/user/identities/authorize', async (c) => {
    const session = await authenticateActive(context, c.req.raw);
    await requireSecondStep(context, session, 'link an identity');
    requireFresh(session);
    await countTry(context, AUTH_LIMITS.departures, c.get('caller'));
    const provider = findProvider(context, c.req.query('provider'));
    const flow = flowOf(c);
    if (!flow.challenge)
      throw new AuthError(400, 'validation_failed', 'Linking an identity needs PKCE: set flowType to pkce');
    const url = await beginOauth(context, provider, { ...flow, sessionId: session.sessionId }, c.req.query());
    return c.req.query('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 302);
  });
  app.delete('/user/identities/:id', async (c) => {
    await unlinkIdentity(context, c.req.raw, c.req.param('id'), c.get('caller'));
    return c.json({});
  });

  app.post('/sso', async (c) => {
    readChallenge(await readBody(c.req.raw, SsoBody));
    throw new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled');
  });
}
