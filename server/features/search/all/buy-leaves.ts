import { prices } from '#providers/prices.ts';
import type { PlaceFinder } from '#providers/provider.ts';
import { type PageAnswer, pageOperation, placeSubject } from '#server/features/search/search-operations.ts';
import { queryIn } from '#server/features/search/survey/look.ts';
import type { PricedLeaf } from '#server/features/search/survey/price-survey.ts';
import type { SurveyRow } from '#server/features/search/survey/survey.ts';
import { noteLack } from '#server/features/search/survey/tiles.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { remembered } from '#server/paid-calls/memory/remembered.ts';
import type { Outcome } from '#server/paid-calls/operation.ts';
import { pay } from '#server/paid-calls/pay.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import type { AreaList } from './area-list.ts';

/** Leaves that are bought at a time: as many pages as a key may ask for in a second. */
const LEAVES_AT_ONCE = 5;

/** A search that reaches a daily limit pays for none of these again on the next day. That may begin 25 hours later, and its list may be busy then. */
const REMEMBER_LEAF_MS = 48 * 3_600_000;

/** `unattended`: no person has started this run, so a page whose answer was lost is not paid for again. */
export type Buying = {
  context: ListRunContext;
  finder: PlaceFinder;
  survey: SurveyRow;
  list: AreaList;
  unattended: boolean;
};

/**
 * Buys the pages of leaves that hold unknown places, those first that bring the most. Returns whether any page came.
 * - A leaf whose places have all come by then, with others or with its first pages, is not paid for any further.
 * - However it ends, its list says what is left: also places that the pages of their leaf did not bring.
 * @throws ProviderError
 * @throws RunStopped when the run may spend no more.
 */
export async function buyLeaves(buying: Buying, leaves: readonly PricedLeaf[]): Promise<boolean> {
  const { context, survey } = buying;
  const had = new Set<string>();
  const done = new Set<PricedLeaf>();
  const came = new Map<PricedLeaf, number>();
  const isHad = (leaf: PricedLeaf) => leaf.unknown.every((id) => had.has(id));
  try {
    await forEachAtOnce(leaves, LEAVES_AT_ONCE, async (leaf) => {
      if (isHad(leaf)) return;
      for await (const page of pagesOf(buying, leaf)) {
        if (page === 'lost') return;
        came.set(leaf, (came.get(leaf) ?? 0) + 1);
        for (const { id } of page.places) had.add(id);
        if (isHad(leaf)) return;
      }
      done.add(leaf);
      await noteLack(context.deps.db, survey.id, leaf, context.run.id);
    });
  } finally {
    const left = leaves.filter((leaf) => !isHad(leaf));
    const places = new Set(left.flatMap(({ unknown }) => unknown.filter((id) => !had.has(id))));
    buying.list.progress.add({
      pagesLeft: left.reduce(
        (sum, leaf) => sum + (done.has(leaf) ? leaf.allPages : leaf.pages - (came.get(leaf) ?? 0)),
        0,
      ),
      placesLeft: places.size,
    });
  }
  return came.size > 0;
}

/** Buys the pages of a leaf one after another, because each leads to the next. */
async function* pagesOf(buying: Buying, leaf: PricedLeaf): AsyncGenerator<PageAnswer | 'lost'> {
  let pageToken: string | undefined;
  for (let page = 1; page <= leaf.pages; page += 1) {
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

async function buyPage(
  { context, finder, survey, list, unattended }: Buying,
  leaf: PricedLeaf,
  page: number,
  pageToken: string | undefined,
): Promise<Outcome<PageAnswer> | undefined> {
  const category = survey.queries[leaf.query] ?? '';
  const { south, west, north, east } = leaf;
  const within = [south, west, north, east].join(',');
  // What did not come the last time may come in a new answer.
  const look = leaf.lacked === 0 ? `look ${survey.passes}` : `look ${survey.passes} again ${leaf.lacked}`;
  const subject = `${placeSubject(category)} in ${within}, ${look}, page ${page}`;
  if (unattended && (await isLost(context, subject))) return { state: 'uncertain', subject };
  const outcomes = await pay(context, {
    operation: pageOperation,
    subjects: [subject],
    async send() {
      const token = pageToken === undefined ? {} : { pageToken };
      const answer = await finder.searchPage({ ...queryIn(category, leaf), ...token });
      return new Map([[subject, { answer, costMicros: prices.googleSearchPageMicros, rememberMs: REMEMBER_LEAF_MS }]]);
    },
    store: list.store,
  });
  return outcomes.get(subject);
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
