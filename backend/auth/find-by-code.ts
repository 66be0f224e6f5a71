import type { Tx } from '#db/tx.ts';
import type { Vault } from '#db/vault.ts';
import { matchCode } from './match-code.ts';
import { type FoundMail, mailTypesOf, type VerifyType } from './one-time-tokens.ts';
import { lockUser } from './users.ts';

/** The live mail to `email` whose code it is, with its person locked. A wrong one counts: see `matchCode`. */
export async function findByCode(
  tx: Tx,
  vault: Vault,
  { email, code }: { email: string; code: string },
  type: VerifyType,
): Promise<FoundMail | undefined> {
  // Not by the address of a person: a new address is nobody's until it is confirmed, and several may want it.
  const askers = await tx
    .selectFrom('auth.one_time_tokens')
    .select('user_id')
    .distinct()
    .where('email', '=', email)
    .where('token_type', 'in', mailTypesOf[type])
    .orderBy('user_id')
    .execute();
  for (const { user_id: userId } of askers) {
    const user = await lockUser(tx, userId);
    const mail = user && (await matchCode(tx, vault, { userId, email, types: mailTypesOf[type], code }));
    if (user && mail) return { mail, user };
  }
  return undefined;
}
