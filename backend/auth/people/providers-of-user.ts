import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { UserRow } from './users.ts';

/** The providers of a person's identities as `app_metadata` names them: all, and the first. To be set in an update of `auth.users`. */
export const mirroredProviders = sql<string>`raw_app_meta_data || coalesce((
  select jsonb_build_object(
    'provider', (array_agg(provider order by created_at, provider))[1],
    'providers', jsonb_agg(distinct provider))
  from auth.identities where user_id = auth.users.id having count(*) > 0), '{}')`;

/** Brings `app_metadata` up to date after an identity was linked or unlinked. */
export const mirrorProviders = (tx: Tx, userId: string): Promise<UserRow> =>
  tx
    .updateTable('auth.users')
    .set({ raw_app_meta_data: mirroredProviders, updated_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
