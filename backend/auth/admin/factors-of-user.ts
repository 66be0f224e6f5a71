import {
  dropFactor,
  type FactorJson,
  factorJson,
  findFactors,
  lockFactor,
  typeOf,
} from '#backend/auth/factors/factors.ts';
import { lockSessions } from '#backend/auth/factors/step-up.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { notifyOwner } from '#backend/auth/messages/notify-owner.ts';
import type { Db } from '#db/connection/client.ts';
import { getUserById } from './find-user.ts';

/**
 * Someone's factors.
 * @throws AuthError of `getUserById`.
 */
export async function listFactorsOf(db: Db, userId: string): Promise<FactorJson[]> {
  await getUserById(db, userId);
  return (await findFactors(db, userId)).map(factorJson);
}

/**
 * Takes someone's factor away, and returns what it was.
 * @throws AuthError of `getUserById` and `lockFactor`.
 */
export async function deleteFactorOf(
  context: AuthContext,
  { userId, factorId }: { userId: string; factorId: string },
  { ip }: Caller,
): Promise<FactorJson> {
  const { email } = await getUserById(context.db, userId);
  const removed = await context.db.transaction().execute(async (tx) => {
    await lockSessions(tx, userId);
    const factor = await lockFactor(tx, userId, factorId);
    await dropFactor(tx, factor);
    await context.onEvent(tx, { type: 'administered', act: 'factor removed', userId, ip });
    return factor;
  });
  if (removed.status === 'verified')
    notifyOwner(context, { id: userId, email: email ?? null }, { type: 'factor_removed', factor: typeOf(removed) });
  return factorJson(removed);
}
