import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { type PlaceFinder, ProviderError } from '#providers/provider.ts';
import { holdToBudgets } from '#server/budgets/hold-to-budgets.ts';
import { type LocatedArea, locateArea } from '#server/features/search/area/locate-area.ts';
import type { ResolvedArea } from '#server/features/search/area/resolve-area.ts';
import { openKnownOf } from '#server/features/search/open/known-matches.ts';
import { fillOpenFirst } from '#server/features/search/open/open-first.ts';
import { locate, lostAnswer } from '#server/features/search/place/locate.ts';
import { findKnownPlaces } from '#server/features/search/place/place-memory.ts';
import { pageOperation } from '#server/features/search/search-operations.ts';
import { outsideOf } from '#server/features/search/sift-places.ts';
import { keepCertificate, leaveOutside } from '#server/features/search/survey/certificate/read-coverage.ts';
import { priceLeaves } from '#server/features/search/survey/estimates/price-survey.ts';
import { isPriced, openRunOf, openSurvey, readFailed, readSurvey } from '#server/features/search/survey/open-survey.ts';
import type { SurveyRow } from '#server/features/search/survey/survey.ts';
import { finishSurvey } from '#server/features/search/survey/survey-run.ts';
import { AppError } from '#server/lib/app-error.ts';
import { pause } from '#server/lib/pause.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import type { AreaInput } from './area-input.ts';
import { type AreaList, openAreaList } from './area-list.ts';
import { buyLeaves } from './buy-leaves.ts';
import { goOnNextDay, type Standing } from './next-day.ts';

/** How often a search checks whether the survey of its area is done, in ms. */
const POLL_MS = 500;
/** Ids that are looked up at a time. */
const IDS_AT_ONCE = 500;

/**
 * Fills a list with every business of an area: counts them for free, copies what is known, and pays for the rest.
 * @throws ProviderError, RunStopped, UNKNOWN_PLACE, BUDGET_EXCEEDED
 * @throws PROVIDER_FAILED when no answer could be read, of its count or of its pages.
 */
export async function searchAll(context: ListRunContext, input: AreaInput): Promise<void> {
  const standing: Standing = { isBoundDecided: input.pricedLater !== true };
  try {
    await countAndBuy(context, input, standing);
  } catch (error) {
    const metLimit = error instanceof ProviderError && error.kind === 'out_of_credit';
    if (metLimit && input.nextDay) await goOnNextDay(context, input, standing);
    throw error;
  }
}

async function countAndBuy(context: ListRunContext, input: AreaInput, standing: Standing): Promise<void> {
  const { deps, run } = context;
  const { db } = deps;
  const finder = deps.providers.placeFinder(context.key.apiKey);
  const located = await findArea(context, finder, input);
  const opened = await openSurvey(db, run, located, input);
  standing.survey = opened;
  if (input.source === 'open_first')
    await fillOpenFirst(context, { queries: input.queries, area: located.area, onlyNew: input.onlyNew === true });
  await linkList(db, run.listId, opened.id, located.area.label);
  const survey = await awaitSurvey(context, opened);
  const certificate = await keepCertificate(db, run.listId, survey);
  if (certificate.leaves.length > 0 && certificate.leaves.every(({ state }) => state === 'failed')) throw uncounted();

  const { queries, onlyNew = false } = input;
  const open = await openKnownOf(db, run, input.source, { queries, area: located.area });
  const surveyed = { id: survey.id, area: located.area };
  const leaves = await priceLeaves(db, run, surveyed, { onlyNew, openIds: open?.placeIds ?? new Set() }, run.id);
  const pages = leaves.reduce((sum, leaf) => sum + leaf.pages, 0);
  if (input.pricedLater) await allowToSpend(context, pages * pageOperation.estimateMicros);
  standing.isBoundDecided = true;
  const list = await openAreaList(context, located.area, input.onlyNew === true);
  list.progress.add({ pagesToBuy: pages });
  try {
    await copyKnown(context, survey, list, located.area);
    const unattended = input.unattended === true;
    const came = await buyLeaves({ context, finder, survey, list, unattended }, leaves);
    if (!came && leaves.length > 0) throw lostPages();
  } finally {
    await list.progress.flush();
    await leaveOutside(db, run.listId, survey, certificate);
  }
}

const uncounted = () =>
  new AppError(
    'PROVIDER_FAILED',
    'No part of this area could be counted: Google Places sent no response that could be read. Counting is free. Press Retry to count it again.',
  );

const lostPages = () =>
  new AppError(
    'PROVIDER_FAILED',
    'The responses from Google Places could not be read. They may have been charged. Press Retry to send the requests again.',
  );

/** Finds the area of a search, and pays for its center when that is not known. */
async function findArea(
  context: ListRunContext,
  finder: PlaceFinder,
  input: AreaInput,
): Promise<Exclude<LocatedArea, { lookUpMicros: number }>> {
  const located = await locateArea(context.deps.db, context.run, input);
  if (!('lookUpMicros' in located)) return located;
  await locate(context, finder, input.location ?? '');
  const now = await locateArea(context.deps.db, context.run, input);
  if ('lookUpMicros' in now) throw lostAnswer();
  return now;
}

/** Names the survey of a list. A certificate of another area goes: it would be shown with what this one finds. */
async function linkList(db: Db, listId: string, surveyId: string, label: string): Promise<void> {
  await guardedTransaction(db, async (tx) => {
    await sql`
      insert into app.list_surveys (list_id, survey_id) select id, ${surveyId}::uuid from public.lists where id = ${listId}
      on conflict (list_id) do update set survey_id = excluded.survey_id,
        certificate = case when list_surveys.survey_id = excluded.survey_id then list_surveys.certificate end
    `.execute(tx);
    await tx.updateTable('lists').set({ resolved_place: label }).where('id', '=', listId).execute();
  });
}

/**
 * Returns the survey once it is done, or has found as many places as it looks for. Waits while another run works on it.
 * Leaves without an answer are looked at again, until a whole pass brings none.
 */
async function awaitSurvey(context: ListRunContext, survey: SurveyRow): Promise<SurveyRow> {
  const { db } = context.deps;
  let asked = new Set<string>();
  let calls = survey.free_calls;
  for (let counted = false; ; ) {
    const now = await readSurvey(db, survey.id);
    if (!now) throw new Error('The survey of a search is gone.');
    const run = await openRunOf(db, survey.id);
    if (run !== undefined && run !== context.run.id) {
      // A count may take hours. While it comes further, so does this run.
      if (now.free_calls > calls) context.waits.moved();
      calls = now.free_calls;
      const until = new Date(Date.now() + POLL_MS);
      await context.waits.during({ reason: 'other_run', until, all: true }, () => pause(POLL_MS, context.signal));
      continue;
    }
    if (counted || (await isPriced(db, now))) return now;
    await finishSurvey(context, now);
    const silent = await readFailed(db, survey.id);
    const isMute = silent.every((leaf) => asked.has(leaf));
    asked = new Set(silent);
    // Another run may have taken it first.
    counted = isMute && (await openRunOf(db, survey.id)) === undefined;
  }
}

/**
 * Raises the run's bound to its price, now that this is known. From then on a second press may lower it.
 * @throws BUDGET_EXCEEDED
 */
async function allowToSpend({ deps, run }: ListRunContext, micros: number): Promise<void> {
  await guardedTransaction(deps.db, async (tx) => {
    await sql`select from app.runs where id = ${run.id} for no key update`.execute(tx);
    const { rows } = await sql<{ booked: number }>`
      select coalesce(sum(cost_micros), 0)::bigint as booked from app.ledger_days where run_id = ${run.id}
    `.execute(tx);
    const bound = (rows[0]?.booked ?? 0) + micros;
    const before = await tx
      .selectFrom('app.runs')
      .select(['bound_micros', sql<boolean>`input -> 'pricedLater' is null`.as('is_decided')])
      .where('id', '=', run.id)
      .executeTakeFirstOrThrow();
    if (before.is_decided) return;
    const { userId, sandbox } = run;
    const heldMicros = before.bound_micros;
    if (heldMicros < bound) {
      const wanted = { userId, provider: 'google_places', sandbox, boundMicros: bound, heldMicros } as const;
      const refusal = await holdToBudgets(tx, wanted);
      if (refusal) throw refusal;
    }
    const most = Math.max(heldMicros, bound);
    await sql`
      update app.runs set bound_micros = ${most}::bigint, estimate_micros = ${most}::bigint, input = input - 'pricedLater'
      where id = ${run.id}
    `.execute(tx);
  });
}

/** Adds the places whose details one of the user's lists has. */
async function copyKnown(
  context: ListRunContext,
  survey: SurveyRow,
  list: AreaList,
  area: ResolvedArea,
): Promise<void> {
  const { deps, run } = context;
  const isOutside = outsideOf(area.holds);
  const ids = await deps.db
    .selectFrom('app.survey_places')
    .select('place_id')
    .where('survey_id', '=', survey.id)
    .orderBy('place_id')
    .execute();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    context.signal.throwIfAborted();
    const part = ids.slice(at, at + IDS_AT_ONCE).map(({ place_id }) => place_id);
    const known = await findKnownPlaces(deps.db, run, run.listId, part);
    const whole = [...known.places.values()].filter((one) => one.whole && !isOutside(one.place));
    if (whole.length === 0) continue;
    await guardedTransaction(deps.db, (tx) =>
      list.copy(
        tx,
        `known ${at}`,
        whole.map(({ place, callId, answeredAt: since, sources = {} }) => ({ place, callId, since, sources })),
      ),
    );
  }
}
