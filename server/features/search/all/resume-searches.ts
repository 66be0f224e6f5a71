import { sql } from 'kysely';
import { microsToDollars } from '#contract/money/costs.ts';
import type { Deps } from '#server/deps.ts';
import { RESUME_LEASE } from '#server/features/search/resume-lease.ts';
import { AppError } from '#server/lib/app-error.ts';
import { keepUnpriced } from '#server/runs/refused/keep-refusal.ts';
import type { StartCtx } from '#server/runs/refused/wanted-run.ts';
import { AreaInput } from './area-input.ts';
import { startAreaSearch } from './search-area.ts';

const AT_ONCE = 20;

type Due = {
  id: string;
  user_id: string;
  list_id: string;
  is_archived: boolean;
  input: unknown;
  resume_micros: number | null;
  leased: Date;
};

/**
 * Resumes searches that are due, with what is left of their bound. Each is taken by one process.
 * - A list that was searched again meanwhile, or is deleted, is left as it is. One that is archived says so when it is restored.
 * - So is a search that was canceled as it met its limit, or that went on after a crash: what it noted then is over.
 * - One that cannot be searched yet, because it is being filled from a file, is tried again until it can be.
 * - Of any other refusal its list says why. While something else works on that list, the search is tried again as well.
 * @throws the first failure, once the others have been resumed.
 */
export async function resumeSearches(deps: Pick<Deps, 'db' | 'queue' | 'log'>): Promise<void> {
  const failures: unknown[] = [];
  for (const due of await take(deps)) await resume(deps, due).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function resume(
  deps: Pick<Deps, 'db' | 'queue' | 'log'>,
  { id, user_id: userId, list_id: listId, is_archived: isArchived, input, resume_micros: left, leased }: Due,
): Promise<void> {
  const { pricedLater: _later, unattended: _unattended, ...wanted } = AreaInput.parse(input);
  const maxCost = left === null ? undefined : microsToDollars(left);
  let told = false;
  const tellRun = () => {
    told = true;
  };
  const ctx = { deps, user: { userId }, log: deps.log, tellRun };
  try {
    if (isArchived) await tell(ctx, { listId, wanted, maxCost }, new AppError('CONFLICT', WAS_ARCHIVED));
    else await startAreaSearch(ctx, { listId, wanted, maxCost, unattended: true });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.log.info({ code: error.code }, 'a search could not go on the next day');
    // It is due again when its lease ends.
    if (error.code === 'CONFLICT') return;
    if (!told && !(await tell(ctx, { listId, wanted, maxCost }, error))) return;
  }
  await sql`update app.runs set resume_at = null where id = ${id} and resume_at = ${leased}`.execute(deps.db);
}

/** Has a list say why its search did not go on. Returns false while something else works on it. */
async function tell(
  ctx: StartCtx,
  { listId, wanted, maxCost }: { listId: string; wanted: AreaInput; maxCost: number | undefined },
  error: AppError,
): Promise<boolean> {
  const refusal = error.code === 'FORBIDDEN' ? new AppError(error.code, WAS_DISABLED) : error;
  const start = { kind: 'search', listId, maxCost, input: { ...wanted, unattended: true } } as const;
  try {
    return (await keepUnpriced(ctx, start, refusal)).run !== undefined;
  } catch (failure) {
    // No one can look at a list that is gone.
    if (failure instanceof AppError && failure.code === 'NOT_FOUND') return true;
    throw failure;
  }
}

const WAS_ARCHIVED =
  'This search was to continue by itself, but its list was archived by then. Press Retry to continue it.';
const WAS_DISABLED =
  'This search was to continue by itself, but your account was disabled by then. Press Retry to continue it.';

async function take({ db }: Pick<Deps, 'db'>): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with due as (
      select run.id, run.state <> 'failed' or run.cancel_requested_at is not null
        or list.id is null or exists (
        select from app.runs as later
        where later.list_id = run.list_id and later.kind = 'search' and later.created_at > run.created_at) as is_over,
        list.lifecycle_status = 'archived' as is_archived
      from app.runs as run left join public.lists as list on list.id = run.list_id
      where run.resume_at <= now() and run.state not in ('queued', 'running')
      order by run.resume_at limit ${AT_ONCE} for update of run skip locked
    ), taken as (
      update app.runs as run set resume_at = case when not due.is_over then ${RESUME_LEASE} end
      from due where run.id = due.id
      returning run.id, user_id, list_id, is_archived, input, resume_micros, resume_at as leased
    )
    select * from taken where leased is not null
  `.execute(db);
  return rows;
}
