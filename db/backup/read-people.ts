import pg from 'pg';
import { compareRows } from './compare-rows.ts';
import { copyRows } from './copy-rows.ts';
import { SAME_TEXT_EVERYWHERE } from './digest.ts';
import { openBackup } from './open-backup.ts';
import { nameOf } from './tables.ts';

/** Somebody of a backup, as sign-in knows them. */
export type Person = {
  id: string;
  email: string | null;
  /** The number that signs them in: digits only. */
  phone: string | null;
  userMetadata: object;
  appMetadata: object;
  bannedUntil: Date | null;
  /** By their profile. */
  disabled: boolean;
};

/**
 * The people of a backup, once all of it was read and found undamaged: every table goes through a temporary one, and the database keeps
 * nothing. Throws a BackupError.
 */
export async function readPeople(client: pg.Client, file: string): Promise<Person[]> {
  const backup = await openBackup(file);
  try {
    await client.query('begin');
    await client.query(SAME_TEXT_EVERYWHERE);
    for (const saved of backup.header.tables) {
      // As text, which has the same hash and asks for no type or key of the schema at that time.
      const staged = { schema: 'pg_temp', name: `${saved.schema}_${saved.name}`, columns: saved.columns };
      const columns = saved.columns.map((column) => `${pg.escapeIdentifier(column)} text`);
      await client.query(`create temporary table ${nameOf(staged)} (${columns.join(', ')})`);
      await copyRows(client, backup, saved, staged);
      await compareRows(client, saved, staged);
    }
    // Missing in backups from before there were second steps.
    await client.query('create temporary table if not exists auth_mfa_factors (user_id text, status text, phone text)');
    const { rows } = await client.query<Person>(
      `select id, person.email,
         case when phone_confirmed_at is not null and not exists (
           select from pg_temp.auth_mfa_factors as factor
           where factor.user_id = person.id and factor.phone = person.phone and status = 'verified') then phone end as phone,
         raw_user_meta_data::jsonb as "userMetadata", raw_app_meta_data::jsonb as "appMetadata",
         banned_until::timestamptz as "bannedUntil", coalesce(profile.status = 'disabled', false) as disabled
       from pg_temp.auth_users as person left join pg_temp.app_profiles as profile on profile.user_id = id`,
    );
    return rows;
  } finally {
    await client.query('rollback').catch(() => {});
    backup.close();
  }
}
