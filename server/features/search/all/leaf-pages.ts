import { AREA_PAGES_DAYS } from '#contract/work/retention.ts';
import { prices } from '#providers/prices.ts';
import { type PlaceFinder, ProviderError } from '#providers/provider.ts';
import { type PageAnswer, pageOperation, placeSubject } from '#server/features/search/search-operations.ts';
import type { PricedLeaf } from '#server/features/search/survey/estimates/price-survey.ts';
import { freeCall } from '#server/features/search/survey/free-call.ts';
import { queryIn } from '#server/features/search/survey/look.ts';
import { purchaseOf } from '#server/features/search/survey/purchase.ts';
import type { SurveyRow } from '#server/features/search/survey/survey.ts';
import { remembered } from '#server/paid-calls/memory/remembered.ts';
import type { Outcome } from '#server/paid-calls/operation.ts';
import { pay } from '#server/paid-calls/pay.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import type { AreaList } from './area-list.ts';

/**
 * A search that reaches a daily limit pays for none of these again when it goes on. It may meet two days on which nothing comes (`next-day.ts`),
 * a day may have 25 hours, and its list may be busy then.
 */
const REMEMBER_LEAF_MS = AREA_PAGES_DAYS * 86_400_000;

/** `unattended`: no person has started this run, so a page whose answer was lost is not paid for again. */
export type Buying = {
  context: ListRunContext;
  finder: PlaceFinder;
  survey: SurveyRow;
  list: AreaList;
  unattended: boolean;
};

/** A leaf, and the pass of the survey whose pages are bought. `had`: the pages that this purchase has brought already. */
export type LeafToBuy = PricedLeaf & { look: number; had: readonly number[] };

/**
 * Says which pages of leaves a run buys.
 * - Of a leaf whose first page it has asked for already, the pages behind that one, though its area was counted again since. They come first.
 */
export async function planPages({ context, survey }: Buying, leaves: readonly PricedLeaf[]): Promise<LeafToBuy[]> {
  const { rows } = await purchaseOf(context.run.id, pageOperation.name).execute(context.deps.db);
  const asked = new Map(rows.map(({ subject, state }) => [subject, state]));
  const hasCome = (leaf: Looked, page: number) => asked.get(subjectOf(survey, leaf, page)) === 'answered';
  const passes = Array.from({ length: survey.passes + 1 }, (_, at) => survey.passes - at);
  const begun: LeafToBuy[] = [];
  const others: LeafToBuy[] = [];
  for (const leaf of leaves) {
    const look = passes.find((pass) => asked.has(subjectOf(survey, { ...leaf, look: pass }, 1)));
    if (look === undefined) others.push({ ...leaf, look: survey.passes, had: [] });
    else begun.push({ ...leaf, look, had: pagesUpTo(leaf.pages).filter((page) => hasCome({ ...leaf, look }, page)) });
  }
  return [...begun, ...others];
}

const pagesUpTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);

/** Buys the pages of a leaf one after another, because each leads to the next. */
export async function* pagesOf(buying: Buying, leaf: LeafToBuy): AsyncGenerator<PageAnswer | 'lost'> {
  let pageToken: string | undefined;
  let isBehindForgotten = false;
  for (let page = 1; page <= leaf.pages; page += 1) {
    if (await isForgotten(buying, leaf, page)) {
      isBehindForgotten = true;
      yield { places: [] };
      continue;
    }
    if (isBehindForgotten) {
      pageToken = await freshToken(buying, leaf, page);
      isBehindForgotten = false;
      if (pageToken === undefined) return;
    }
    const outcome = await buyPage(buying, leaf, page, pageToken);
    if (outcome?.state !== 'answered') {
      // The pages after it cannot be reached without its answer.
      buying.list.progress.add({ pagesLost: leaf.pages - page + 1 });
      yield 'lost';
      return;
    }
    yield outcome.answer;
    pageToken = outcome.answer.nextPageToken;
    if (pageToken === undefined) return;
  }
}

/** Whether this purchase has brought a page so long ago that it is no longer remembered. Its places are in the list. */
async function isForgotten({ context: { deps, run }, survey }: Buying, leaf: LeafToBuy, page: number) {
  if (!leaf.had.includes(page)) return false;
  return (await remembered(deps.db, run, pageOperation, [subjectOf(survey, leaf, page)])).size === 0;
}

/** Pays for one page, unless it is known. Returns no outcome when Google accepts no token that leads to it. */
async function buyPage(
  buying: Buying,
  leaf: LeafToBuy,
  page: number,
  pageToken: string | undefined,
): Promise<Outcome<PageAnswer> | undefined> {
  try {
    return await payForPage(buying, leaf, page, pageToken);
  } catch (error) {
    if (page === 1 || !isRefused(error)) throw error;
  }
  // A token of another day may have run out.
  const fresh = await freshToken(buying, leaf, page);
  if (fresh === undefined) return undefined;
  try {
    return await payForPage(buying, leaf, page, fresh);
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

const isRefused = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'bad_request';

async function payForPage(
  { context, finder, survey, list, unattended }: Buying,
  leaf: LeafToBuy,
  page: number,
  pageToken: string | undefined,
): Promise<Outcome<PageAnswer> | undefined> {
  const subject = subjectOf(survey, leaf, page);
  if (unattended && (await isLost(context, subject))) return { state: 'uncertain', subject };
  const outcomes = await pay(context, {
    operation: pageOperation,
    subjects: [subject],
    async send() {
      const token = pageToken === undefined ? {} : { pageToken };
      const answer = await finder.searchPage({ ...queryIn(categoryOf(survey, leaf), leaf), ...token });
      return new Map([[subject, { answer, costMicros: prices.googleSearchPageMicros, rememberMs: REMEMBER_LEAF_MS }]]);
    },
    store: list.store,
  });
  return outcomes.get(subject);
}

const categoryOf = (survey: SurveyRow, { query }: Looked): string => survey.queries[query] ?? '';

/** What names the pages of a leaf. */
type Looked = Omit<LeafToBuy, 'had'>;

function subjectOf(survey: SurveyRow, leaf: Looked, page: number): string {
  const { south, west, north, east, lacked } = leaf;
  const within = [south, west, north, east].join(',');
  // What did not come the last time may come in a new answer.
  const look = lacked === 0 ? `look ${leaf.look}` : `look ${leaf.look} again ${lacked}`;
  return `${placeSubject(categoryOf(survey, leaf))} in ${within}, ${look}, page ${page}`;
}

/** Returns a token that leads to a page now. Finding it out is free. */
async function freshToken(
  { context, finder, survey }: Buying,
  leaf: LeafToBuy,
  page: number,
): Promise<string | undefined> {
  const query = queryIn(categoryOf(survey, leaf), leaf);
  let token: string | undefined;
  for (let at = 1; at < page; at += 1) {
    const from = token === undefined ? {} : { pageToken: token };
    token = (await freeCall(context, () => finder.countPage({ ...query, ...from }))).nextPageToken;
    if (token === undefined) return undefined;
  }
  return token;
}

/** Whether the answer of a page may have been charged and never came, in this run or one before it. One that came since is remembered. */
async function isLost({ deps: { db }, run }: ListRunContext, subject: string): Promise<boolean> {
  if ((await remembered(db, run, pageOperation, [subject])).size > 0) return false;
  const lost = await db
    .selectFrom('app.paid_calls')
    .select('id')
    .where('user_id', '=', run.userId)
    .where('provider', '=', pageOperation.provider)
    .where('operation', '=', pageOperation.name)
    .where('sandbox', '=', run.sandbox)
    .where('subject', '=', subject)
    .where('state', '=', 'uncertain')
    .executeTakeFirst();
  return lost !== undefined;
}
