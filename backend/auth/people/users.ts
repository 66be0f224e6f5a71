import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type FactorRow, factorJson, findFactors } from '#backend/auth/factors/factors.ts';
import { type AsJson, toIso } from '#backend/auth/kit/as-json.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { DB } from '#db/types.gen.ts';

export type UserRow = Selectable<DB['auth.users']>;
export type IdentityRow = Selectable<DB['auth.identities']>;

/** GoTrue's user, as supabase-js hands it to the app. Times are ISO strings; what is not known is left out. */
export type UserJson = ReturnType<typeof userJson>;

/** An account to be made. `provider`: who vouches for the address, if not its mailbox. */
export type Newcomer = { id: string; email: string; metadata: object; provider?: string };

/** `metadata`: what they say of themselves. */
export const newcomerAt = (email: string, metadata: object): Newcomer => ({ id: randomUUID(), email, metadata });

/** The user of an address, made (unconfirmed) when there is none. */
export async function findOrMakeUser(tx: Tx, { id, email, metadata }: Newcomer): Promise<UserRow> {
  const made = await tx
    .insertInto('auth.users')
    .values({
      id,
      email,
      raw_app_meta_data: JSON.stringify(EMAIL_PROVIDER),
      raw_user_meta_data: JSON.stringify(metadata),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return made ?? tx.selectFrom('auth.users').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
}

/** `app_metadata` of everyone: no one signs in by anything but email. */
export const EMAIL_PROVIDER = { provider: 'email', providers: ['email'] };
/** The same of whom the admin API has made with nothing but a number. */
export const PHONE_PROVIDER = { provider: 'phone', providers: ['phone'] };

export const findUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('auth.users').selectAll().where('email', '=', email).executeTakeFirst();

/** Locks a person until the transaction ends. Taken before their mails, flows and sessions are touched, so that nothing deadlocks. */
export const lockUser = (tx: Tx, userId: string): Promise<UserRow | undefined> =>
  tx.selectFrom('auth.users').selectAll().where('id', '=', userId).forUpdate().executeTakeFirst();

const findIdentities = (db: Db, userId: string): Promise<IdentityRow[]> =>
  db.selectFrom('auth.identities').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();

/** What is answered along with a user. */
export type Belongings = { identities: AsJson<IdentityRow>[]; factors: AsJson<FactorRow>[] };

export async function findBelongings(db: Db, userId: string) {
  const [identities, factors] = await Promise.all([findIdentities(db, userId), findFactors(db, userId)]);
  return { identities, factors };
}

/** The wire form of a user. */
export function userJson(user: AsJson<UserRow>, { identities, factors }: Belongings) {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email ?? '',
    email_confirmed_at: iso(user.email_confirmed_at),
    ...(user.email_change
      ? { new_email: user.email_change, email_change_sent_at: iso(user.email_change_sent_at) }
      : {}),
    phone: user.phone ?? '',
    phone_confirmed_at: iso(user.phone_confirmed_at),
    ...(user.phone_change
      ? { new_phone: user.phone_change, phone_change_sent_at: iso(user.phone_change_sent_at) }
      : {}),
    confirmed_at: iso(user.email_confirmed_at ?? user.phone_confirmed_at),
    invited_at: iso(user.invited_at),
    banned_until: iso(user.banned_until),
    last_sign_in_at: iso(user.last_sign_in_at),
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    identities: identities.map(identityJson),
    ...(factors.length > 0 ? { factors: factors.map(factorJson) } : {}),
    created_at: toIso(user.created_at),
    updated_at: toIso(user.updated_at),
    is_anonymous: user.is_anonymous,
  };
}

function identityJson(identity: AsJson<IdentityRow>) {
  const data = identity.identity_data;
  const email = data && typeof data === 'object' && !Array.isArray(data) ? data.email : undefined;
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: data,
    provider: identity.provider,
    last_sign_in_at: iso(identity.last_sign_in_at),
    created_at: toIso(identity.created_at),
    updated_at: toIso(identity.updated_at),
    ...(typeof email === 'string' ? { email } : {}),
  };
}

/** Undefined is left out of JSON. */
const iso = (at: Date | string | null) => (at === null ? undefined : toIso(at));
