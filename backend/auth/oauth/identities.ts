import { sql } from 'kysely';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import { findOrMakeUser, type IdentityRow, lockUser, type Newcomer, type UserRow } from '#backend/auth/people/users.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type ExternalIdentity, identityData, profileData } from './external-identity.ts';

// A simulated issuer, the only one with `http:`, has another port after every start.
const issuerOf = sql<string>`regexp_replace(identity_data ->> 'iss', '^(http://[^/:]+):[0-9]+', '\\1')`;
const lasting = (issuer: string) => issuer.replace(/^(http:\/\/[^/:]+):\d+/, '$1');

/** The identity, if anyone has linked it. A provider that is configured under the same name later means others by the same `sub`. */
export const findIdentity = (db: Db, { provider, issuer, sub }: ExternalIdentity): Promise<IdentityRow | undefined> =>
  db
    .selectFrom('auth.identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('provider_id', '=', sub)
    .where(issuerOf, '=', lasting(issuer))
    .executeTakeFirst();

/**
 * Whose account it is, by its address: that of the person who has linked the identity, else the one that the provider vouches for.
 * @throws AuthError 403 `provider_email_needs_verification`: by an address that no one vouches for, anyone could get into anyone's account.
 */
export async function addressOf(db: Db, identity: ExternalIdentity): Promise<string> {
  const linked = await findIdentity(db, identity);
  if (linked) {
    const user = await db
      .selectFrom('auth.users')
      .select('email')
      .where('id', '=', linked.user_id)
      .executeTakeFirstOrThrow();
    return user.email ?? '';
  }
  if (identity.verifiedEmail) return identity.verifiedEmail;
  const text = `Unverified email with ${identity.provider}. Verify it there first, or sign in by an emailed link.`;
  throw new AuthError(403, 'provider_email_needs_verification', text);
}

/** The person of an identity, locked; one who comes for the first time is made, or found by the address that the provider vouches for. */
export async function userOf(tx: Tx, identity: ExternalIdentity, newcomer: Newcomer | undefined): Promise<UserRow> {
  const userId = (await findIdentity(tx, identity))?.user_id ?? (await userAt(tx, newcomer)).id;
  const user = await lockUser(tx, userId);
  if (!user) throw changedMeanwhile();
  if (user.email_confirmed_at) return user;
  // Anyone who has asked for links to this address until now may have been anyone: what they said of themselves goes.
  return tx
    .updateTable('auth.users')
    .set({ raw_user_meta_data: JSON.stringify(profileData(identity)) })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function userAt(tx: Tx, newcomer: Newcomer | undefined): Promise<UserRow> {
  if (!newcomer) throw changedMeanwhile();
  return findOrMakeUser(tx, newcomer);
}

/**
 * Links an identity to a person, or brings what is known of it up to date; one of an issuer that had the same name gives way.
 * @throws AuthError 409 when it is someone else's by now.
 */
export async function storeIdentity(tx: Tx, userId: string, identity: ExternalIdentity): Promise<void> {
  await tx
    .deleteFrom('auth.identities')
    .where('provider', '=', identity.provider)
    .where('provider_id', '=', identity.sub)
    .where(issuerOf, '<>', lasting(identity.issuer))
    .execute();
  const stored = await tx
    .insertInto('auth.identities')
    .values({
      user_id: userId,
      provider: identity.provider,
      provider_id: identity.sub,
      identity_data: JSON.stringify(identityData(identity)),
      last_sign_in_at: sql<Date>`now()`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'provider_id'])
        .doUpdateSet((row) => ({
          identity_data: row.ref('excluded.identity_data'),
          last_sign_in_at: sql<Date>`now()`,
          updated_at: sql<Date>`now()`,
        }))
        .where('auth.identities.user_id', '=', userId),
    )
    .returning('id')
    .executeTakeFirst();
  if (!stored) throw changedMeanwhile();
}

const changedMeanwhile = () => new AuthError(409, 'conflict', 'This account has just changed. Please try again.');
