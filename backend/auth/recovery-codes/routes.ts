import { z } from 'zod/mini';
import type { AuthApp } from '#backend/auth/kit/auth-app.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { readBody } from '#backend/auth/kit/request-body.ts';
import { authenticateActive } from '#backend/auth/people/authenticate.ts';
import { requireSet } from './codes.ts';
import { makeCodes, removeCodes } from './make-codes.ts';
import { spendCode } from './spend-code.ts';

/** What each path answers to. */
export const RECOVERY_CODE_METHODS = {
  '/factors/recovery-codes': 'GET, HEAD, POST, DELETE',
  '/factors/recovery-codes/verify': 'POST',
  '/factors/recovery-codes/regenerate': 'POST',
};

const CodeBody = z.object({ code: z.optional(z.string('code must be a text').check(z.maxLength(100))) });

/** What `supabase.auth.mfa.recoveryCodes` calls. Comes before the factors, whose ids stand where `recovery-codes` does. */
export function recoveryCodeRoutes(app: AuthApp, context: AuthContext): void {
  app.get('/factors/recovery-codes', async (c) => {
    const { userId } = await authenticateActive(context, c.req.raw);
    return c.json({ type: 'recovery_code', ...(await requireSet(context.db, userId)) });
  });
  app.post('/factors/recovery-codes', async (c) => {
    const session = await authenticateActive(context, c.req.raw);
    return c.json(await makeCodes(context, session, 'first', c.get('caller')));
  });
  app.post('/factors/recovery-codes/regenerate', async (c) => {
    const session = await authenticateActive(context, c.req.raw);
    return c.json(await makeCodes(context, session, 'another', c.get('caller')));
  });
  app.delete('/factors/recovery-codes', async (c) => {
    const session = await authenticateActive(context, c.req.raw);
    return c.json(await removeCodes(context, session, c.get('caller')));
  });
  app.post('/factors/recovery-codes/verify', async (c) => {
    const session = await authenticateActive(context, c.req.raw);
    const { code } = await readBody(c.req.raw, CodeBody);
    if (!code) throw new AuthError(422, 'mfa_verification_failed', 'Invalid recovery code entered');
    return c.json(await spendCode(context, session, code, c.get('caller')));
  });
}
