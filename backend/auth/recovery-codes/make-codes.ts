import { randomUUID } from 'node:crypto';
import { requireFresh } from '#backend/auth/codes/reauthenticate.ts';
import { findFactors } from '#backend/auth/factors/factors.ts';
import { lockSession } from '#backend/auth/factors/step-up.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { notifyOwner } from '#backend/auth/messages/notify-owner.ts';
import type { Authenticated } from '#backend/auth/people/authenticate.ts';
import type { SessionRow } from '#backend/auth/sessions/session-answer.ts';
import type { Tx } from '#db/connection/tx.ts';
import { CODES_PER_SET, hashOfRecoveryCode, newRecoveryCode, requireSet } from './codes.ts';

/** A new set, the only time that its codes are told. */
export type NewSet = { id: string; type: 'recovery_code'; friendly_name: string; total: number; codes: string[] };

const NAME = 'Recovery codes';

/**
 * Makes a person's codes: the first set, or another in place of the one they have.
 * @throws AuthError those of `requireFresh`; 403 `insufficient_aal`; 422 `mfa_recovery_codes_sole_factor` without another second step,
 * `mfa_verified_factor_exists` for a second first set; 404 `mfa_factor_not_found` where there is none to replace
 */
export async function makeCodes(
  context: AuthContext,
  session: Authenticated,
  which: 'first' | 'another',
  { ip }: Caller,
): Promise<NewSet> {
  requireFresh(session);
  const { userId, email } = session;
  const made = await context.db.transaction().execute(async (tx) => {
    requireAal2(await lockSession(tx, session));
    const factors = await findFactors(tx, userId);
    if (!factors.some(({ status }) => status === 'verified'))
      throw new AuthError(422, 'mfa_recovery_codes_sole_factor', 'Recovery codes need another verified factor');
    const id = which === 'first' ? await newSetId(tx, userId) : (await requireSet(tx, userId)).id;
    await tx.deleteFrom('auth.recovery_codes').where('user_id', '=', userId).execute();
    const codes = Array.from({ length: CODES_PER_SET }, newRecoveryCode);
    const rows = codes.map((code) => ({
      user_id: userId,
      set_id: id,
      code_hash: hashOfRecoveryCode(userId, code),
    }));
    await tx.insertInto('auth.recovery_codes').values(rows).execute();
    await context.onEvent(tx, { type: 'recovery_codes_made', userId, ip });
    return { id, type: 'recovery_code' as const, friendly_name: NAME, total: codes.length, codes };
  });
  notifyOwner(context, { id: userId, email }, { type: 'recovery_codes_made' });
  return made;
}

/** @throws AuthError 422 `mfa_verified_factor_exists` for someone who has a set. */
async function newSetId(tx: Tx, userId: string): Promise<string> {
  const code = await tx
    .selectFrom('auth.recovery_codes')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  if (code)
    throw new AuthError(422, 'mfa_verified_factor_exists', 'There are recovery codes already. Regenerate them.');
  return randomUUID();
}

/** @throws AuthError 403 `insufficient_aal` for a session that has not proven a second step. */
function requireAal2({ aal }: Pick<SessionRow, 'aal'>): void {
  if (aal !== 'aal2') throw new AuthError(403, 'insufficient_aal', 'AAL2 session is required for recovery codes');
}

/**
 * Deletes a person's codes.
 * @throws AuthError of `requireFresh`, 403 `insufficient_aal`, 404 `mfa_factor_not_found`.
 */
export async function removeCodes(
  context: AuthContext,
  session: Authenticated,
  { ip }: Caller,
): Promise<{ id: string }> {
  requireFresh(session);
  return context.db.transaction().execute(async (tx) => {
    requireAal2(await lockSession(tx, session));
    const { id } = await requireSet(tx, session.userId);
    await tx.deleteFrom('auth.recovery_codes').where('user_id', '=', session.userId).execute();
    await context.onEvent(tx, { type: 'recovery_codes_removed', userId: session.userId, ip });
    return { id };
  });
}
