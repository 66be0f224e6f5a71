import { PROVIDER_IDS } from '#contract/providers.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { keyPlace } from '#server/api-keys/api-key.ts';

export const SEED_EMAIL = 'seed@fairlead.example';
const KEY = 'sandbox';

/** Makes the person who owns the seeded lists, an admin with sandbox keys for all providers; returns the id. */
export async function seedPerson(db: Db, vault: Vault): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const id = (await find(tx)) ?? (await make(tx));
    await tx
      .insertInto('app.profiles')
      .values({ user_id: id, email: SEED_EMAIL, role: 'admin' })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ role: 'admin', status: 'active' }))
      .execute();
    const keys = PROVIDER_IDS.map((provider) => ({
      user_id: id,
      provider,
      sealed_key: vault.seal(KEY, keyPlace(id, provider)),
      last_four: KEY.slice(-4),
      fingerprint: vault.fingerprint(`${provider}:${KEY}`),
      sandbox: true,
    }));
    // A key that someone has put there meanwhile stays.
    await tx
      .insertInto('app.provider_keys')
      .values(keys)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return id;
  });
}

const find = async (tx: Tx) =>
  (await tx.selectFrom('auth.users').select('id').where('email', '=', SEED_EMAIL).executeTakeFirst())?.id;

const make = async (tx: Tx) =>
  (
    await tx
      .insertInto('auth.users')
      .values({
        email: SEED_EMAIL,
        email_confirmed_at: new Date(),
        raw_app_meta_data: JSON.stringify({ provider: 'email', providers: ['email'] }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
