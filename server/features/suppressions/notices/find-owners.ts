import { sql } from 'kysely';
import type { SuppressionKind } from '#contract/calling/suppressions.ts';
import type { Db } from '#db/connection/client.ts';

/** A contact that was suppressed, and the newest file of this owner that held it. */
export type HeldContact = {
  id: string;
  kind: SuppressionKind;
  value: string;
  /** When they asked, as far as that is known: at the latest when the entry was added. */
  askedAt: Date;
  fileName: string;
  exportedAt: Date;
};
export type Owner = { userId: string; email: string; contacts: HeldContact[] };

type Row = HeldContact & { userId: string; email: string };
type Cursor = { addedAt: string; id: string };

/** Entries that are compared with past exports at a time. */
const AT_ONCE = 10_000;

/** Everyone whose exports held a contact that was suppressed since then, and who was not told of it. `since`: ISO. */
export async function findOwners(db: Db, since: string, signal: AbortSignal): Promise<Owner[]> {
  const found: Row[] = [];
  let after: Cursor | undefined = { addedAt: since, id: '00000000-0000-0000-0000-000000000000' };
  while (after && !signal.aborted) {
    const end: Cursor | undefined = await lastOfPart(db, after);
    if (end) found.push(...(await readPart(db, after, end)));
    after = end;
  }
  return [...Map.groupBy(found, ({ userId }) => userId)].flatMap(([userId, contacts]) =>
    contacts[0] ? [{ userId, email: contacts[0].email, contacts }] : [],
  );
}

/** The last of the next entries in their order; undefined where there are none. Times as text keep their microseconds. */
async function lastOfPart(db: Db, after: Cursor): Promise<Cursor | undefined> {
  const { rows } = await sql<Cursor>`
    select added_at::text as "addedAt", id from (
      select added_at, id from app.suppressions where ${isBehind(after)} order by added_at, id limit ${AT_ONCE}
    ) as part order by added_at desc, id desc limit 1
  `.execute(db);
  return rows[0];
}

const isBehind = ({ addedAt, id }: Cursor) => sql`(added_at, id) > (${addedAt}::timestamptz, ${id}::uuid)`;

async function readPart(db: Db, after: Cursor, end: Cursor): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with entries as materialized (
      select array_agg(key) as keys from app.suppressions
      where ${isBehind(after)} and (added_at, id) <= (${end.addedAt}::timestamptz, ${end.id}::uuid)
    )
    select distinct on (profile.user_id, entry.added_at, entry.id) profile.user_id as "userId", profile.email, entry.id, entry.kind,
      substr(entry.key, length(entry.kind) + 2) as value, coalesce(entry.asked_at, entry.added_at) as "askedAt", export.file_name as "fileName",
      export.exported_at as "exportedAt"
    from entries, app.exports_holding(entries.keys) as held
      join app.suppressions as entry on entry.key = held.key
      join app.exports as export on export.id = held.export_id
      join app.profiles as profile on profile.user_id = export.user_id
    where not exists (
      select from app.suppression_notices as told where told.suppression_id = entry.id and told.user_id = profile.user_id)
    order by profile.user_id, entry.added_at, entry.id, export.exported_at desc
  `.execute(db);
  return rows;
}
