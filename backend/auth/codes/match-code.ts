import { sql } from 'kysely';
import { GUESSES_PER_CODE } from '#backend/auth/kit/limits.ts';
import { hashOfCode, sameBytes } from '#backend/auth/kit/secrets.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { MailType, OneTimeTokenRow } from './one-time-tokens.ts';

/** Whose codes are tried: those that the same network has asked for, those of all other networks, or both. */
export type Reach = 'own' | 'others' | 'all';

/**
 * The mail whose code it is. The person must be locked.
 * - A wrong code counts against every code that the same network has asked for, so that no one burns what someone else has to type.
 * - It never counts against links, which no one guesses. Against the code of one session it counts from anywhere.
 * - `sessionId`: of a code that one session alone can use
 * - `guessed`: whether there was any code to try, burnt ones included
 */
export async function matchCode(
  tx: Tx,
  vault: Vault,
  guess: { userId: string; email: string; types: readonly MailType[]; code: string; sessionId?: string },
  { network, reach }: { network: string; reach: Reach },
): Promise<{ mail: OneTimeTokenRow | undefined; guessed: boolean }> {
  const live = await tx
    .selectFrom('auth.one_time_tokens')
    .selectAll()
    .where('user_id', '=', guess.userId)
    .where('email', '=', guess.email)
    .where('token_type', 'in', guess.types)
    .where('session_id', 'is not distinct from', guess.sessionId ?? null)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .execute();
  const isOwn = (mail: OneTimeTokenRow) => mail.session_id !== null || mail.asked_from === network;
  const mails = live.filter((mail) => reach === 'all' || isOwn(mail) === (reach === 'own'));
  const hash = hashOfCode(vault, guess.userId, guess.code);
  const mail = mails.find(({ code_hash: stored }) => stored !== null && sameBytes(stored, hash));
  if (!mail) for (const missed of mails.filter((one) => isOwn(one) && one.code_hash)) await countMiss(tx, missed);
  return { mail, guessed: mails.length > 0 };
}

async function countMiss(tx: Tx, { id, failed_guesses: before }: OneTimeTokenRow): Promise<void> {
  const burnt = before + 1 >= GUESSES_PER_CODE;
  await tx
    .updateTable('auth.one_time_tokens')
    .set({ failed_guesses: before + 1, ...(burnt ? { code_hash: null } : {}) })
    .where('id', '=', id)
    .execute();
}
