import type { Context } from 'hono';
import type { AuthApp } from './kit/auth-app.ts';
import { AuthError } from './kit/auth-error.ts';
import type { AuthContext } from './kit/context.ts';
import { authenticateActive } from './people/authenticate.ts';

/** What those paths answer to at which GoTrue looks at who asks first. */
export const SWITCHED_OFF_METHODS = {
  '/user/oauth/grants': 'GET, HEAD, DELETE',
};

export const oauthServerOff = () => new AuthError(404, 'feature_disabled', 'OAuth server is disabled');
export const customProvidersOff = () => new AuthError(404, 'feature_disabled', 'Custom OAuth providers are disabled');
const passkeysOff = () => new AuthError(404, 'passkey_disabled', 'Passkeys are disabled');

/**
 * What GoTrue can do and this cannot: passkeys, and letting people sign in to other applications. Each answers at its own paths as
 * GoTrue does where it is off.
 */
export function switchedOffRoutes(app: AuthApp, context: AuthContext): void {
  app.all('/passkeys/*', () => {
    throw passkeysOff();
  });
  app.all('/oauth/*', () => {
    throw oauthServerOff();
  });

  const refuseWith = (refusal: () => AuthError) => async (c: Context) => {
    await authenticateActive(context, c.req.raw);
    throw refusal();
  };
  app.on(['GET', 'DELETE'], '/user/oauth/grants', refuseWith(oauthServerOff));
}
