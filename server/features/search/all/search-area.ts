import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import { dollarsToMicros } from '#contract/money/costs.ts';
import type { searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import type { Tx } from '#db/connection/tx.ts';
import { largeSquareMiles } from '#server/features/search/area/large-area.ts';
import { locateArea } from '#server/features/search/area/locate-area.ts';
import { type OpenMemory, openKnownOf } from '#server/features/search/open/known-matches.ts';
import { locateOperation } from '#server/features/search/search-operations.ts';
import { priceSurvey } from '#server/features/search/survey/estimates/price-survey.ts';
import { findSurvey, isPriced } from '#server/features/search/survey/open-survey.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { Memory } from '#server/paid-calls/memory/count-known.ts';
import type { StartCtx } from '#server/runs/refused/wanted-run.ts';
import { isUuid } from '#server/runs/rows.ts';
import { startRun } from '#server/runs/start/start-run.ts';
import { AreaInput, areaInputOf } from './area-input.ts';

/**
 * Begins the search of a whole area for a list, or joins the one that is under way. It does not wait for the end.
 * @throws VALIDATION_FAILED when the area is not valid.
 * @throws UNKNOWN_PLACE, and what startRun throws.
 */
export async function searchArea(
  ctx: Ctx,
  body: z.output<typeof searchAreaEndpoint.body>,
): Promise<DataOf<typeof searchAreaEndpoint>> {
  const wanted = areaInputOf(body);
  const { list_id: listId, max_cost: maxCost, sandbox: quotedSandbox } = body;
  const runId = await startAreaSearch(ctx, { listId, wanted, maxCost, quotedSandbox });
  ctx.tellRun?.(runId);
  return { runId };
}

/** What a search of an area is for. `maxCost` in US dollars. `unattended`: it goes on by itself. */
type Wanted = {
  listId: string;
  wanted: AreaInput;
  maxCost: number | undefined;
  quotedSandbox?: boolean | undefined;
  unattended?: boolean;
};

/** Does the same for a person, or for a search that waited for its day. Returns the id of the run. */
export async function startAreaSearch(
  ctx: StartCtx,
  { listId, wanted, maxCost, quotedSandbox, unattended = false }: Wanted,
): Promise<string> {
  const { db } = ctx.deps;
  const { userId } = ctx.user;
  const open = await openInput(ctx, listId);
  const joined = open !== undefined && isSameSearch(open, wanted);
  const key = await db
    .selectFrom('app.provider_keys')
    .select('sandbox')
    .where('user_id', '=', userId)
    .where('provider', '=', 'google_places')
    .executeTakeFirst();
  // An area that is not valid is refused even without a key.
  const memory = { userId, sandbox: key?.sandbox ?? false };
  const quote = await quoteOf(db, memory, wanted);
  // One that goes on by itself was allowed when it began.
  if (quote === undefined && !joined && !unattended) await refuseLarge(db, memory, wanted);
  const later = quote === undefined && maxCost === undefined ? { pricedLater: true as const } : {};
  return startRun(ctx, {
    kind: 'search',
    listId,
    provider: 'google_places',
    input: { ...wanted, ...later, ...(unattended ? { unattended: true as const } : {}) },
    isSame(input) {
      const { data } = AreaInput.safeParse(input);
      if (!data || !isSameSearch(data, wanted)) return false;
      if (data.pricedLater && maxCost !== undefined) throw new AppError('CONFLICT', NO_LIMIT_YET);
      return true;
    },
    unattended,
    maxCost,
    quotedSandbox,
    estimateMicros: async (tx, _list, sandbox) => {
      const now = await quoteOf(tx, { userId, sandbox, listId }, wanted);
      return now ?? Math.max(dollarsToMicros(maxCost ?? 0), locateOperation.estimateMicros);
    },
  });
}

const NO_LIMIT_YET =
  'This search decides after its count what it may cost, so it takes no limit now. Cancel it, then start it again with a limit.';

const isSameSearch = (one: AreaInput, other: AreaInput): boolean => isDeepStrictEqual(wantedOf(one), wantedOf(other));

const wantedOf = ({ pricedLater: _later, unattended: _unattended, idleDays: _days, ...wanted }: AreaInput) => wanted;

/** @throws VALIDATION_FAILED when the area is not valid, or its count may take days. */
async function refuseLarge(db: Ctx['deps']['db'], memory: Memory, input: AreaInput): Promise<void> {
  const located = await locateArea(db, memory, input);
  if ('lookUpMicros' in located || largeSquareMiles(located.area) === undefined) return;
  // Only its gaps are left to count.
  if ((await findSurvey(db, memory, located.spec, input))?.state === 'counted') return;
  throw new AppError('VALIDATION_FAILED', 'This area is larger than the United States. Count it before you search it.');
}

/** Reads the input of the search that is under way on a list, and can be joined. */
async function openInput({ deps: { db }, user }: StartCtx, listId: string): Promise<AreaInput | undefined> {
  if (!isUuid(listId)) return undefined;
  const run = await db
    .selectFrom('app.runs')
    .select('input')
    .where('user_id', '=', user.userId)
    .where('list_id', '=', listId)
    .where('kind', '=', 'search')
    .where('state', 'in', ['queued', 'running'])
    .where('cancel_requested_at', 'is', null)
    .executeTakeFirst();
  return AreaInput.safeParse(run?.input).data;
}

/** The most that a search costs, in micro-dollars. Undefined until its survey is done and no leaf is to be looked at again. */
async function quoteOf(db: Tx | Ctx['deps']['db'], memory: OpenMemory, input: AreaInput): Promise<number | undefined> {
  const located = await locateArea(db, memory, input);
  if ('lookUpMicros' in located) return undefined;
  const survey = await findSurvey(db, memory, located.spec, input);
  if (!survey || !(await isPriced(db, survey))) return undefined;
  const { queries, onlyNew = false } = input;
  const open = await openKnownOf(db, memory, input.source, { queries, area: located.area });
  const spared = { onlyNew, openIds: open?.placeIds ?? new Set<string>() };
  return (await priceSurvey(db, memory, { id: survey.id, area: located.area }, spared)).boundMicros;
}
