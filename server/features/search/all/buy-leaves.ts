import { prices } from '#providers/prices.ts';
import type { PlaceFinder } from '#providers/provider.ts';
import {
  type PageAnswer,
  pageOperation,
  placeSubject,
  REMEMBER_PAGE_MS,
} from '#server/features/search/search-operations.ts';
import { queryIn } from '#server/features/search/survey/look.ts';
import type { PricedLeaf } from '#server/features/search/survey/price-survey.ts';
import type { SurveyRow } from '#server/features/search/survey/survey.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import type { Outcome } from '#server/paid-calls/operation.ts';
import { pay } from '#server/paid-calls/pay.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import type { AreaList } from './area-list.ts';

/** Leaves that are bought at a time: as many pages as a key may ask for in a second. */
const LEAVES_AT_ONCE = 5;

export type Buying = { context: ListRunContext; finder: PlaceFinder; survey: SurveyRow; list: AreaList };

/**
 * Buys the pages of leaves that hold unknown places, those first that bring the most.
 * - A leaf whose places have all come with others by then is not paid for.
 * - Returns whether any page came. @throws ProviderError, or RunStopped when the run may spend no more.
 */
export async function buyLeaves(buying: Buying, leaves: readonly PricedLeaf[]): Promise<boolean> {
  const had = new Set<string>();
  let came = false;
  await forEachAtOnce(leaves, LEAVES_AT_ONCE, async (leaf) => {
    if (leaf.unknown.every((id) => had.has(id))) return;
    for await (const page of pagesOf(buying, leaf)) {
      came = true;
      for (const { id } of page.places) had.add(id);
    }
  });
  return came;
}

/** One page after the other, because each leads to the next. */
async function* pagesOf(buying: Buying, leaf: PricedLeaf): AsyncGenerator<PageAnswer> {
  let pageToken: string | undefined;
  for (let page = 1; page <= leaf.pages; page += 1) {
    const outcome = await buyPage(buying, leaf, page, pageToken);
    if (outcome?.state !== 'answered') {
      // Those behind it cannot be reached without its answer.
      buying.list.progress.add({ pagesLost: leaf.pages - page + 1 });
      return;
    }
    yield outcome.answer;
    pageToken = outcome.answer.nextPageToken;
    if (pageToken === undefined) return;
  }
}

async function buyPage(
  { context, finder, survey, list }: Buying,
  leaf: PricedLeaf,
  page: number,
  pageToken: string | undefined,
): Promise<Outcome<PageAnswer> | undefined> {
  const category = survey.queries[leaf.query] ?? '';
  const { south, west, north, east } = leaf;
  const within = [south, west, north, east].join(',');
  const subject = `${placeSubject(category)} in ${within}, look ${survey.passes}, page ${page}`;
  const outcomes = await pay(context, {
    operation: pageOperation,
    subjects: [subject],
    async send() {
      const token = pageToken === undefined ? {} : { pageToken };
      const answer = await finder.searchPage({ ...queryIn(category, leaf), ...token });
      return new Map([[subject, { answer, costMicros: prices.googleSearchPageMicros, rememberMs: REMEMBER_PAGE_MS }]]);
    },
    store: list.store,
  });
  return outcomes.get(subject);
}
