import { badToken } from './errors/data-error.ts';

/** What a verified access token says. `claims` are all of its claims, as they go into `request.jwt.claims`. */
export type VerifiedToken = { userId: string; sessionId: string; claims: Readonly<Record<string, unknown>> };
/** Returns undefined for a token that is not accepted, whatever the reason. */
export type VerifyAccessToken = (accessToken: string) => Promise<VerifiedToken | undefined>;

/** In whose name a request runs. */
export type Caller = { role: 'anon' } | { role: 'service_role' } | ({ role: 'authenticated' } & VerifiedToken);

/**
 * No token, or the publishable key in its place, is anon.
 * @throws DataError PGRST303 for an expired token, PGRST301 for any other that is not accepted
 */
export async function callerOf(
  authorization: string | undefined,
  publishableKey: string,
  verify: VerifyAccessToken,
): Promise<Caller> {
  const token = /^bearer\s+(.*)$/iu.exec(authorization?.trim() ?? '')?.[1]?.trim();
  if (!token || token === publishableKey) return { role: 'anon' };
  const verified = await verify(token);
  if (verified) return { role: 'authenticated', ...verified };
  throw isExpired(token) ? badToken('PGRST303', 'JWT expired') : badToken('PGRST301', 'JWT could not be verified');
}

/** Only chooses the words of a refusal: the signature was not accepted or not looked at. */
export function isExpired(token: string): boolean {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const exp = typeof payload === 'object' && payload !== null && 'exp' in payload ? payload.exp : undefined;
    return typeof exp === 'number' && exp * 1000 <= Date.now();
  } catch {
    return false;
  }
}
