import { sql } from 'kysely';
import { microsToDollars } from '#contract/money/costs.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/lib/app-error.ts';
import { AreaInput } from './area-input.ts';
import { startAreaSearch } from './search-area.ts';

const AT_ONCE = 20;

type Due = { user_id: string; list_id: string; input: unknown; resume_micros: number | null };

/**
 * Begins searches again whose day has come, with what is left of their bound. Each is taken by one process.
 * - A list that was searched again meanwhile, or is archived, is left as it is.
 */
export async function resumeSearches(deps: Pick<Deps, 'db' | 'queue' | 'log'>): Promise<void> {
  const { rows } = await sql<Due>`
    with due as (
      select id from app.runs where resume_at <= now() order by resume_at limit ${AT_ONCE} for update skip locked
    ), taken as (
      update app.runs set resume_at = null where id in (select id from due)
      returning id, user_id, list_id, input, resume_micros, created_at
    )
    select taken.user_id, taken.list_id, taken.input, taken.resume_micros
    from taken join public.lists as list on list.id = taken.list_id
    where list.lifecycle_status <> 'archived' and not exists (
      select from app.runs as later
      where later.list_id = taken.list_id and later.kind = 'search' and later.created_at > taken.created_at)
  `.execute(deps.db);
  for (const { user_id: userId, list_id: listId, input, resume_micros: left } of rows) {
    const { pricedLater: _, ...wanted } = AreaInput.parse(input);
    const maxCost = left === null ? undefined : microsToDollars(left);
    const ctx = { deps, user: { userId }, log: deps.log };
    try {
      await startAreaSearch(ctx, { listId, wanted, maxCost });
    } catch (error) {
      // The list says why.
      if (!(error instanceof AppError)) throw error;
      deps.log.info({ code: error.code }, 'a search could not go on the next day');
    }
  }
}
