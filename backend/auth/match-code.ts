import { sql } from 'kysely';
import type { Tx } from '#db/tx.ts';
import type { Vault } from '#db/vault.ts';
import { GUESSES_PER_CODE } from './limits.ts';
import type { MailType, OneTimeTokenRow } from './one-time-tokens.ts';
import { hashOfCode, sameBytes } from './secrets.ts';

/**
 * The mail whose code it is. A wrong one counts against every code it could have been meant for, and not against their links: those
 * nobody guesses, and a stranger must not be able to spend them. The person must be locked.
 */
export async function matchCode(
  tx: Tx,
  vault: Vault,
  guess: { userId: string; email: string; types: readonly MailType[]; code: string },
): Promise<OneTimeTokenRow | undefined> {
  const mails = await tx
    .selectFrom('auth.one_time_tokens')
    .selectAll()
    .where('user_id', '=', guess.userId)
    .where('email', '=', guess.email)
    .where('token_type', 'in', guess.types)
    .where('code_hash', 'is not', null)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .execute();
  const hash = hashOfCode(vault, guess.userId, guess.code);
  const mail = mails.find(({ code_hash: stored }) => stored !== null && sameBytes(stored, hash));
  if (!mail) for (const missed of mails) await countMiss(tx, missed);
  return mail;
}

async function countMiss(tx: Tx, { id, failed_guesses: before }: OneTimeTokenRow): Promise<void> {
  const burnt = before + 1 >= GUESSES_PER_CODE;
  await tx
    .updateTable('auth.one_time_tokens')
    .set({ failed_guesses: before + 1, ...(burnt ? { code_hash: null } : {}) })
    .where('id', '=', id)
    .execute();
}
