import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/** Counters and the log of what happened: they grow with every refusal, and should. The key is made with the first evidence. */
const GROWING = ['app.rate_limits', 'app.audit_log', 'app.evidence_key'];
/** Their rows belong to the entry of the same ticket. */
const OF_EVIDENCE = ['app.evidence_parts', 'app.evidence_subjects'];

/** One hash for the rows of each of our tables that a server may read; without those in which one of the ids `except` occurs. */
export async function rowHashes(db: Db, except: readonly string[] = []): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('app', 'auth', 'public', 'storage')
      and has_table_privilege(format('%I.%I', schemaname, tablename), 'select')`.execute(db);
  const names = tables.map(({ name }) => name).filter((name) => !GROWING.includes(name));
  const ofEvidence = (name: string) =>
    OF_EVIDENCE.includes(name)
      ? sql`and not exists (select from app.evidence as entry where entry.ticket = t.ticket and entry.actor_id::text = any(${except}::text[]))`
      : sql``;
  const one = (name: string) => sql`
    select ${name} as name, md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as hash from ${sql.table(name)} as t
    where not exists (select from unnest(${except}::text[]) as id where strpos(t::text, id) > 0)
      ${ofEvidence(name)}`;
  const { rows } = await sql<{ name: string; hash: string }>`${sql.join(names.map(one), sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}
