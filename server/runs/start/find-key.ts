import type { ProviderId } from '#contract/providers.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** Which kind of key someone has connected for a provider, without opening it; undefined for none. */
export const findKey = (db: Db | Tx, userId: string, provider: ProviderId): Promise<{ sandbox: boolean } | undefined> =>
  db
    .selectFrom('app.provider_keys')
    .select('sandbox')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst();
