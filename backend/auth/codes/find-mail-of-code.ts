import { type Place, placeOf } from '#backend/auth/asking/networks.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTries, tooMany } from '#backend/auth/kit/rate-limit.ts';
import { findUserByEmail, lockUser } from '#backend/auth/people/users.ts';
import type { Tx } from '#db/connection/tx.ts';
import { matchCode, type Reach } from './match-code.ts';
import { type FoundMail, mailTypesOf, type VerifyType } from './one-time-tokens.ts';

/** `email`: the (normalized) address, or the number, that the code was sent to. */
export type CodeProof = { email: string; code: string };

/**
 * The live mail whose code it is, among those that this network may guess at. Those are its own, and those of others
 * while strangers have not guessed too often. In transactions of its own; a wrong code counts.
 * Returns how to find it again.
 * @throws AuthError 429.
 */
export async function findMailOfCode(
  context: AuthContext,
  proof: CodeProof,
  type: VerifyType,
  ip: string,
): Promise<{ found: FoundMail; again: (tx: Tx) => Promise<FoundMail | undefined> } | undefined> {
  const place = await placeOfAsker(context, proof.email, type, ip);
  const look = (reach: Reach) => (tx: Tx) => findByCode(tx, context, proof, type, { ...place, reach });
  const first = look(place.familiar ? 'all' : 'own');
  const own = await context.db.transaction().execute(first);
  if (own?.mail) return { found: { mail: own.mail, user: own.user }, again: asFound(first) };
  if (place.familiar) return undefined;
  const excess = await countTries(context, AUTH_LIMITS.foreignGuesses, { ip, email: proof.email });
  // Someone who mistypes their own code learns that it is wrong.
  if (excess && own?.guessed) return undefined;
  if (excess) throw tooMany(excess, FROM_ELSEWHERE);
  const others = look('others');
  const found = await context.db.transaction().execute(others);
  return found?.mail && { found: { mail: found.mail, user: found.user }, again: asFound(others) };
}

const FROM_ELSEWHERE =
  'Too many wrong codes were entered elsewhere. Open the link in the email, or request a new code here and enter that one.';

type Guess = { user: FoundMail['user']; mail: FoundMail['mail'] | undefined; guessed: boolean };

const asFound = (look: (tx: Tx) => Promise<Guess | undefined>) => async (tx: Tx) => {
  const found = await look(tx);
  return found?.mail && { mail: found.mail, user: found.user };
};

/** Numbers are familiar where their owner has signed in from; a number that someone wants to have is not theirs yet. */
async function placeOfAsker(context: AuthContext, email: string, type: VerifyType, ip: string): Promise<Place> {
  const { db } = context;
  const owner =
    type === 'sms'
      ? await db.selectFrom('auth.users').select('id').where('phone', '=', email).executeTakeFirst()
      : await findUserByEmail(db, email);
  return placeOf(context, owner?.id, ip);
}

/** The mail to `email` whose code it is, within reach, with its person locked: see `matchCode`. */
async function findByCode(
  tx: Tx,
  { vault }: Pick<AuthContext, 'vault'>,
  { email, code }: CodeProof,
  type: VerifyType,
  from: { network: string; reach: Reach },
): Promise<Guess | undefined> {
  // Not by the address of a person: a new address is no one's until it is confirmed, and several may want it.
  const askers = await tx
    .selectFrom('auth.one_time_tokens')
    .select('user_id')
    .distinct()
    .where('email', '=', email)
    .where('token_type', 'in', mailTypesOf[type])
    .orderBy('user_id')
    .execute();
  let missed: Guess | undefined;
  for (const { user_id: userId } of askers) {
    const user = await lockUser(tx, userId);
    if (!user) continue;
    const { mail, guessed } = await matchCode(tx, vault, { userId, email, types: mailTypesOf[type], code }, from);
    if (mail) return { user, mail, guessed };
    if (guessed) missed = { user, mail: undefined, guessed };
  }
  return missed;
}
