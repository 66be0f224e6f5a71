import type { AuthApp } from '#backend/auth/kit/auth-app.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { readBody } from '#backend/auth/kit/request-body.ts';
import { authenticateActive } from '#backend/auth/people/authenticate.ts';
import { challengeFactor } from './challenge-factor.ts';
import { enrolFactor } from './enrol-factor.ts';
import { ChallengeBody, EnrolBody, VerifyFactorBody } from './factor-bodies.ts';
import { unenrollFactor } from './unenroll-factor.ts';
import { verifyFactor } from './verify-factor.ts';

/** What each path answers to. */
export const FACTOR_METHODS = {
  '/factors': 'POST',
  '/factors/:id': 'DELETE',
  '/factors/:id/challenge': 'POST',
  '/factors/:id/verify': 'POST',
};

/** What `supabase.auth.mfa` calls, for anyone who is signed in. */
export function factorRoutes(app: AuthApp, context: AuthContext): void {
  app.post('/factors', async (c) => {
    const session = await authenticateActive(context, c.req.raw);
    return c.json(await enrolFactor(context, session, await readBody(c.req.raw, EnrolBody)));
  });
  app.delete('/factors/:id', async (c) => {
    const session = await authenticateActive(context, c.req.raw);
    return c.json(await unenrollFactor(context, session, c.req.param('id'), c.get('caller')));
  });
  app.post('/factors/:id/challenge', async (c) => {
    const session = await authenticateActive(context, c.req.raw);
    await readBody(c.req.raw, ChallengeBody);
    return c.json(await challengeFactor(context, session, c.req.param('id'), c.get('caller')));
  });
  app.post('/factors/:id/verify', async (c) => {
    const session = await authenticateActive(context, c.req.raw);
    const { challenge_id: challengeId, code, webauthn } = await readBody(c.req.raw, VerifyFactorBody);
    if (webauthn)
      throw new AuthError(422, 'mfa_webauthn_verify_not_enabled', 'MFA verification is disabled for WebAuthn');
    if (!code) throw new AuthError(400, 'validation_failed', 'Code needs to be non-empty');
    const proof = { factorId: c.req.param('id'), challengeId, code };
    return c.json(await verifyFactor(context, session, proof, c.get('caller')));
  });
}
