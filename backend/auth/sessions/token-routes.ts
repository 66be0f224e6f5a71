import { redeemProof } from '#backend/auth/codes/redeem-proof.ts';
import type { AuthApp } from '#backend/auth/kit/auth-app.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import {
  IdTokenBody,
  OtpBody,
  PkceBody,
  RefreshBody,
  readBody,
  requireEmail,
  VerifyBody,
} from '#backend/auth/kit/request-body.ts';
import { exchangePkceCode } from '#backend/auth/links/exchange-pkce-code.ts';
import { exchangeOauthCode } from '#backend/auth/oauth/exchange-oauth-code.ts';
import { takeIdToken } from '#backend/auth/oauth/take-id-token.ts';
import { requirePhone } from '#backend/auth/phone/phone-number.ts';
import { refreshSession } from './refresh-session.ts';

export const TOKEN_METHODS = { '/verify': 'GET, HEAD, POST', '/token': 'POST', '/signup': 'POST' };

/** Everything that returns a session: typed codes, tokens of links, refresh tokens, and the grants of `/token`. */
export function tokenRoutes(app: AuthApp, context: AuthContext, sweep: () => void): void {
  app.post('/verify', async (c) => {
    const caller = c.get('caller');
    await countTry(context, AUTH_LIMITS.guesses, caller);
    const body = await readBody(c.req.raw, VerifyBody);
    if (body.token_hash) {
      const link = { way: 'link', linkToken: body.token_hash } as const;
      return c.json(await redeemProof(context, link, body.type, caller));
    }
    if (!body.token) throw new AuthError(400, 'validation_failed', 'token or token_hash is required');
    const isPhone = body.type === 'sms' || body.type === 'phone_change';
    const proof = {
      way: 'code',
      email: isPhone ? requirePhone(body.phone) : requireEmail(body),
      code: body.token.replace(/[\s-]/g, ''),
    } as const;
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
}
