import { Readable } from 'node:stream';
import pg from 'pg';
import { compareRows } from './compare-rows.ts';
import { copyRows } from './copy-rows.ts';
import { SAME_TEXT_EVERYWHERE } from './digest.ts';
import { bytesOf } from './load-files.ts';
import { openBackup } from './open-backup.ts';
import { nameOf } from './tables.ts';

/** Someone of a backup, as sign-in knows them. */
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

/** A session of a backup that could go on. `tokenHash`: SHA-256 of its refresh token, in hex; times are PostgreSQL's text. */
export type LivingSession = {
  id: string;
  userId: string;
  tokenHash: string;
  userAgent: string | null;
  ip: string | null;
  createdAt: string;
  lastUsedAt: string;
  /** Null where it has no end. */
  endsAt: string | null;
};

/** A kept export: its name in the bucket, and the stored file that has its bytes. */
export type KeptObject = { name: string; version: string };

/** What a backup holds that hosted Supabase keeps itself. */
export type OfBackend = { people: Person[]; sessions: LivingSession[]; exports: KeptObject[] };

/**
 * Returns the part of a backup that hosted Supabase keeps itself, once the whole was read and found undamaged.
 * Every table goes through a temporary one, and the database keeps nothing.
 * @throws BackupError
 */
export async function readBackend(client: pg.Client, file: string): Promise<OfBackend> {
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
    for (const saved of backup.header.files ?? []) await Readable.from(bytesOf(backup, saved)).forEach(() => {});
    await client.query(MISSING_IN_OLD_BACKUPS);
    return {
      people: (await client.query<Person>(PEOPLE)).rows,
      sessions: (await client.query<LivingSession>(SESSIONS)).rows,
      exports: (await client.query<KeptObject>(EXPORTS)).rows,
    };
  } finally {
    await client.query('rollback').catch(() => {});
    backup.close();
  }
}

/** There were neither second steps nor stored files. */
const MISSING_IN_OLD_BACKUPS = `
  create temporary table if not exists auth_mfa_factors (user_id text, status text, phone text);
  create temporary table if not exists storage_objects (bucket_id text, name text, version text)`;

/** A number that is someone's second step does not sign them in: one phone would prove both. */
const PEOPLE = `
  select id, person.email,
    case when phone_confirmed_at is not null and not exists (
      select from pg_temp.auth_mfa_factors as factor
      where factor.user_id = person.id and factor.phone = person.phone and status = 'verified') then phone end as phone,
    raw_user_meta_data::jsonb as "userMetadata", raw_app_meta_data::jsonb as "appMetadata",
    banned_until::timestamptz as "bannedUntil", coalesce(profile.status = 'disabled', false) as disabled
  from pg_temp.auth_users as person left join pg_temp.app_profiles as profile on profile.user_id = id`;

/** Each with the token that was not yet spent. Anyone who had not proven their second step has no session to go on with. */
const SESSIONS = `
  select distinct on (session.id) session.id, session.user_id as "userId",
    encode(token_hash::bytea, 'hex') as "tokenHash", user_agent as "userAgent", ip, session.created_at as "createdAt",
    coalesce(refreshed_at, session.created_at) as "lastUsedAt", not_after as "endsAt"
  from pg_temp.auth_sessions as session join pg_temp.auth_refresh_tokens as token on session_id = session.id
  where used_at is null and coalesce(not_after::timestamptz > now(), true) and (aal = 'aal2' or not exists (
    select from pg_temp.auth_mfa_factors as factor where factor.user_id = session.user_id and status = 'verified'))
  order by session.id, token.created_at::timestamptz desc`;

/** The files of our own bucket. */
const EXPORTS = "select name, version from pg_temp.storage_objects where bucket_id = 'exports'";
