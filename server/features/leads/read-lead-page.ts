import { type RawBuilder, sql } from 'kysely';
import type { LeadRow } from '#contract/work/leads.ts';
import type { Db } from '#db/connection/client.ts';
import { fits, type SettledFilter } from '#server/leads/chosen-leads.ts';
import { LEAD_COLUMNS, type StoredLead, toLeadRow } from '#server/leads/lead-columns.ts';
import { orderOf, writeCursor } from './lead-order.ts';

/** How many leads of a longer list are read first for a page in the plain order. If they fill it, the others are not read. */
const FIRST_LOOK = 10_000;

export type LeadPage = {
  listId: string;
  /** How many leads the list has. */
  leads: number;
  filter: SettledFilter;
  sort?: string | undefined;
  /** The `next` of the page before. */
  after?: string | undefined;
  offset?: number | undefined;
  limit: number;
};

type Row = StoredLead & { sort_key: string | null };

/**
 * Reads some leads of a list in an order. `next` is null after the last one.
 * @throws VALIDATION_FAILED when the cursor is not valid.
 */
export async function readLeadPage(
  db: Db,
  { listId, leads, filter, sort, after, offset = 0, limit }: LeadPage,
): Promise<{ leads: LeadRow[]; next: string | null }> {
  const order = orderOf(sort);
  const isBehind = after === undefined ? sql<boolean>`true` : order.isAfter(after);
  const read = async (from: RawBuilder<unknown>): Promise<Row[]> => {
    const { rows } = await sql<Row>`
      with meant as materialized (
        select lead.position, ${order.key} as sort_key from ${from} as lead where ${fits(listId, filter)} and ${isBehind}
      ), page as (
        select * from meant order by ${order.by} limit ${limit + 1} offset ${offset}
      )
      select ${LEAD_COLUMNS}, meant.sort_key
      from page as meant join public.leads as lead on lead.list_id = ${listId} and lead.position = meant.position
      order by ${order.by}
    `.execute(db);
    return rows;
  };
  const first = sql`(
    select lead.* from public.leads as lead where lead.list_id = ${listId} and ${isBehind} order by lead.position limit ${FIRST_LOOK})`;
  const found = order.isPlain && leads > FIRST_LOOK ? await read(first) : [];
  const rows = found.length > limit ? found : await read(sql`public.leads`);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    leads: shown.map(toLeadRow),
    next: rows.length > limit && last ? writeCursor(last.sort_key, last.position) : null,
  };
}
