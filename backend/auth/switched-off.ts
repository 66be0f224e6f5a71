import type { Context } from 'hono';
import type { AuthApp } from './app.ts';
import { AuthError } from './auth-error.ts';
import { authenticateActive } from './authenticate.ts';
import type { AuthContext } from './context.ts';

/** What those paths answer to at which GoTrue looks at who asks first. */
export const SWITCHED_OFF_METHODS = {
  '/factors/recovery-codes': 'GET, HEAD, POST, DELETE',
  '/factors/recovery-codes/verify': 'POST',
  '/factors/recovery-codes/regenerate': 'POST',
  '/user/oauth/grants': 'GET, HEAD, DELETE',
};

export const oauthServerOff = () => new AuthError(404, 'feature_disabled', 'OAuth server is disabled');
export const customProvidersOff = () => new AuthError(404, 'feature_disabled', 'Custom OAuth providers are disabled');
const passkeysOff = () => new AuthError(404, 'passkey_disabled', 'Passkeys are disabled');
const noRecoveryCodes = () => new AuthError(404, 'mfa_factor_not_found', 'There are no recovery codes here');
/** Whoever has lost their second step asks an administrator, who takes it away. */
const recoveryCodesOff = (what: 'enroll' | 'verify') =>
  new AuthError(422, `mfa_recovery_codes_${what}_not_enabled`, 'Recovery codes are disabled');

/**
 * What GoTrue can do and this can not: passkeys, recovery codes, and letting people sign in to other applications. Each answers at
 * its own paths as GoTrue does where it is off. Comes before the factors, whose ids stand where `recovery-codes` does.
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
  app.on(['GET', 'DELETE'], '/factors/recovery-codes', refuseWith(noRecoveryCodes));
  for (const path of ['/factors/recovery-codes', '/factors/recovery-codes/regenerate'])
    app.post(
      path,
      refuseWith(() => recoveryCodesOff('enroll')),
    );
  app.post(
    '/factors/recovery-codes/verify',
    refuseWith(() => recoveryCodesOff('verify')),
  );
}
