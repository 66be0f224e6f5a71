import { type RawBuilder, sql } from 'kysely';

/** Leads of a list as they stood before a statement writes to them, locked: an import may have filled them while it waited. Columns: id, email. */
export const lockedLeads = (listId: string, ids: readonly string[]): RawBuilder<unknown> => sql`
  (select id, email from public.leads where list_id = ${listId} and id = any(${ids}::uuid[]) order by id for update)`;
