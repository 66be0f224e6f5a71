import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod/mini';
import {
  type listSuppressionsEndpoint,
  type PastExports,
  SUPPRESSION_PAGE_SIZE,
  type Suppression,
} from '#contract/calling/suppressions.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { pastExportsOf } from './past-exports.ts';

type Row = Omit<Suppression, 'addedAt' | 'askedAt' | 'exports'> & { addedAt: Date; askedAt: Date | null };

const IN_NONE: PastExports = { total: 0, newest: [] };

/**
 * A page of the list.
 * @throws NOT_FOUND for a page behind an entry that is gone.
 */
export async function listSuppressions(
  { deps: { db } }: Ctx,
  { q, kind, before }: z.output<typeof listSuppressionsEndpoint.query>,
): Promise<DataOf<typeof listSuppressionsEndpoint>> {
  const meant = sql<boolean>`${kind ? sql`entry.kind = ${kind}` : sql`true`} and ${q ? isFound(q) : sql`true`}`;
  const behind = before
    ? sql<boolean>`(entry.added_at, entry.id) < (select added_at, id from app.suppressions where id = ${before})`
    : sql<boolean>`true`;
  if (before && !(await db.selectFrom('app.suppressions').select('id').where('id', '=', before).executeTakeFirst()))
    throw new AppError('NOT_FOUND', 'The entry that this page followed was removed. Begin with the newest.');
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from app.suppressions as entry where ${meant}
  `.execute(db);
  // One more than is shown tells whether a page follows.
  const found = await readSuppressions(db, sql`${meant} and ${behind}`, SUPPRESSION_PAGE_SIZE + 1);
  const items = found.slice(0, SUPPRESSION_PAGE_SIZE);
  return { items, next: found.length > items.length ? (items.at(-1)?.id ?? null) : null, total: rows[0]?.total ?? 0 };
}

/** Entries that fit, the newest first. `condition` on app.suppressions as `entry`. */
export async function readSuppressions(
  db: Db | Tx,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<Suppression[]> {
  const { rows } = await sql<Row>`
    select entry.id, entry.kind, substr(entry.key, length(entry.kind) + 2) as value, entry.note, entry.source,
      profile.email as "addedBy", entry.added_at as "addedAt", entry.asked_at as "askedAt"
    from app.suppressions as entry left join app.profiles as profile on profile.user_id = entry.added_by
    where ${condition} order by entry.added_at desc, entry.id desc limit ${limit}
  `.execute(db);
  const keyOf = ({ kind, value }: Pick<Row, 'kind' | 'value'>) => `${kind}:${value}`;
  const exports = await pastExportsOf(db, rows.map(keyOf));
  return rows.map(({ askedAt, ...row }) => ({
    ...row,
    addedAt: row.addedAt.toISOString(),
    ...(askedAt ? { askedAt: askedAt.toISOString() } : {}),
    exports: exports.get(keyOf(row)) ?? IN_NONE,
  }));
}

/** Whether an entry has a text in it, or is what the text names in another spelling. */
const isFound = (q: string): RawBuilder<boolean> => sql`(
  entry.key like ${`%${q.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`}
  or entry.key in (app.suppression_key('phone', ${q}), app.suppression_key('email', ${q}), app.suppression_key('domain', ${q}),
    app.suppression_key('company', ${q}))
  or entry.note ilike ${`%${q.replaceAll(/[\\%_]/g, '\\$&')}%`}
)`;
