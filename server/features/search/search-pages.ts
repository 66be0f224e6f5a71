import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { prices } from '#providers/prices.ts';
import { type LocatedPlace, ProviderError } from '#providers/provider.ts';
import { pause } from '#server/lib/pause.ts';
import { awaitDeparture } from '#server/paid-calls/departure/departures.ts';
import { recordRecalls } from '#server/paid-calls/memory/record-recalls.ts';
import type { NextCall, Outcome, Plan } from '#server/paid-calls/operation.ts';
import { pay, payFromMemory } from '#server/paid-calls/pay.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import { knownPage } from './known-page.ts';
import { isEmptyList, NOTHING_STORED, readStored } from './lead-rows.ts';
import { type ListToFill, openList } from './list-to-fill.ts';
import { arePlacesWithin, findKnownPlaces, hasPlacesWithin } from './place/place-memory.ts';
import { type Preview, previewPages } from './preview-pages.ts';
import type { Search } from './search.ts';
import { lastPage, pageSubject, queryOf, type SearchInput } from './search-input.ts';
import { type PageAnswer, pageOperation, REMEMBER_PAGE_MS } from './search-operations.ts';

/** A page token is sometimes refused because it is not valid yet. */
const TOKEN_PAUSE_MS = 2_000;

/** How a page came: it holds the token of the next one, unless it is the last. */
type Page = { from: 'memory' | 'purchase' | 'preview'; nextPageToken?: string };

/**
 * Fills the list page by page, each in the cheapest way. Returns false when none came and the list holds nothing.
 * In order: from memory; from the user's own lists, when a free look says that they hold the whole page; by paying.
 */
export async function searchPages(search: Search, begun?: Plan<PageAnswer>): Promise<boolean> {
  const { context, finder, input, center, openIds } = search;
  const { deps, run } = context;
  const takeTurn = () => awaitDeparture(context, 'google_places');
  const preview = previewPages(finder, queryOf(input, center), takeTurn, context.signal);
  const worthLooking =
    !begun &&
    (input.onlyNew === true || openIds.size > 0 || (await hasPlacesWithin(deps.db, run, center, input.radiusMeters)));
  const stored = begun ? NOTHING_STORED : await readStored(deps.db, run.listId);
  const done = await fillFrom({ search, list: openList(search, stored), preview, worthLooking, begun });
  // Google refused a token of its ids-only pages for a paid page, so all pages have to be paid for, one after another.
  if (done !== undefined) return done;
  await search.meanwhile.done();
  const list = openList(search, await readStored(deps.db, run.listId));
  return (await fillFrom({ search, list, preview, worthLooking: false, begun: undefined })) ?? false;
}

/** Returns the call for the first page, to begin once the place is known. Only for an empty list, and when no known page may spare it. */
export function firstPage(
  run: ListRunContext['run'],
  input: SearchInput,
  center: LocatedPlace,
  take: NextCall['take'],
): NextCall | undefined {
  if (input.onlyNew || input.source) return undefined;
  const isSpared = arePlacesWithin(run, center, input.radiusMeters);
  return {
    operation: pageOperation,
    wanted: { subjects: [pageSubject(input, center, 1)], round: 0, request: randomUUID() },
    onlyIf: sql<boolean>`${isEmptyList(run.listId)} and not ${isSpared}`,
    take,
  };
}

/** Fills the list. Returns undefined when a page cannot be reached, because the one before it was not paid for. */
async function fillFrom(filling: Filling): Promise<boolean | undefined> {
  const { search, list } = filling;
  let before: Page | undefined;
  for (let page = 1; page <= lastPage(search.input) && !list.isFull(); page += 1) {
    const got = await getPage(filling, page, before);
    if (got === 'out of reach') return undefined;
    if (got === 'lost') return list.end({ lost: true });
    list.pageCame();
    if (got.nextPageToken === undefined) break;
    before = got;
  }
  return list.end({ lost: false });
}

/** `begun`: the plan of the page that comes next, if it was sent when the one before was settled. */
type Filling = {
  search: Search;
  list: ListToFill;
  preview: Preview;
  worthLooking: boolean;
  begun: Plan<PageAnswer> | undefined;
};

/** Gets one page in the cheapest way, and keeps what it brings: from memory, from the user's own lists, or by paying. */
async function getPage(
  filling: Filling,
  page: number,
  before: Page | undefined,
): Promise<Page | 'out of reach' | 'lost'> {
  const { search, list, preview, worthLooking } = filling;
  const subject = pageSubject(search.input, search.center, page);
  // Buying reads the memory as well. Reading it here saves free calls for the same page.
  if (worthLooking || (before && before.from !== 'purchase')) {
    const remembered = await payFromMemory(search.context, {
      operation: pageOperation,
      subjects: [subject],
      ...list.storing,
    });
    const outcome = remembered.get(subject);
    if (outcome) return toPage('memory', outcome);
  }
  const copied = worthLooking ? await copyPage({ search, list, preview }, page, subject) : undefined;
  if (copied) return copied;
  const { from, outcome } = await buyPage(filling, page, await tokensFor(page, before, preview));
  return !outcome && before?.from === 'preview' ? 'out of reach' : toPage(from, outcome);
}

function toPage(from: Page['from'], outcome: Outcome<PageAnswer> | undefined): Page | 'lost' {
  if (outcome?.state !== 'answered') return 'lost';
  const { nextPageToken } = outcome.answer;
  return { from, ...(nextPageToken === undefined ? {} : { nextPageToken }) };
}

/** Takes a page from what the user's lists hold, if a free look says that they hold all of it. */
async function copyPage(
  { search: { context, input }, list, preview }: Pick<Filling, 'search' | 'list' | 'preview'>,
  page: number,
  subject: string,
): Promise<Page | undefined> {
  const { deps, run } = context;
  const free = await preview.page(page).catch(unlessRefused);
  if (!free) return undefined;
  const known = await findKnownPlaces(deps.db, run, run.listId, free.placeIds);
  const copy = knownPage(free.placeIds, known, { ...list.rules, onlyNew: input.onlyNew === true });
  if (!copy) return undefined;
  await guardedTransaction(deps.db, async (tx) => {
    const leads = copy.places.map((place) => {
      const origin = known.places.get(place.id);
      const { callId = null, answeredAt: since, sources = {} } = origin ?? {};
      return { place, callId, sources, ...(since ? { since } : {}) };
    });
    await list.keep(tx, leads);
    const { callId } = copy;
    if (callId !== undefined) await recordRecalls(tx, run, pageOperation, [{ subject, callId, known: true }]);
  });
  return { from: 'preview', ...(free.nextPageToken === undefined ? {} : { nextPageToken: free.nextPageToken }) };
}

/** Tokens that lead to a page, the surest first. A remembered one may be too old, so a fresh one is fetched, which is free. */
async function tokensFor(page: number, before: Page | undefined, preview: Preview): Promise<(string | undefined)[]> {
  if (!before) return [undefined];
  const { from, nextPageToken } = before;
  if (from === 'purchase') return [nextPageToken, nextPageToken];
  const fresh = await preview.page(page - 1).catch(unlessRefused);
  return [...new Set([fresh?.nextPageToken ?? nextPageToken, nextPageToken])];
}

/** Ignores a refused look, which costs nothing and is not needed: the paid call will meet the same problem. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof ProviderError)) throw error;
}

/** Pays for one page, unless it is known. Returns no outcome when Google accepts none of the tokens that lead to it. */
async function buyPage(
  filling: Filling,
  page: number,
  tokens: readonly (string | undefined)[],
): Promise<{ from: 'memory' | 'purchase'; outcome?: Outcome<PageAnswer> | undefined }> {
  const { context, finder, input, center } = filling.search;
  const subject = pageSubject(input, center, page);
  let from: 'memory' | 'purchase' = 'memory';
  for (const [tries, pageToken] of tokens.entries()) {
    if (tries > 0) await pause(TOKEN_PAUSE_MS, context.signal);
    const { begun } = filling;
    filling.begun = undefined;
    try {
      const outcomes = await pay(context, {
        operation: pageOperation,
        subjects: [subject],
        begun,
        async send() {
          from = 'purchase';
          const answer = await finder.searchPage({
            ...queryOf(input, center),
            ...(pageToken === undefined ? {} : { pageToken }),
          });
          return new Map([
            [subject, { answer, costMicros: prices.googleSearchPageMicros, rememberMs: REMEMBER_PAGE_MS }],
          ]);
        },
        next: (bought) => nextPage(filling, page, bought.get(subject)?.answer),
        ...filling.list.storing,
      });
      return { from, outcome: outcomes.get(subject) };
    } catch (error) {
      if (!(page > 1 && error instanceof ProviderError && error.kind === 'bad_request')) throw error;
    }
  }
  return { from };
}

/** Returns the call for the page after a paid one, unless there is none or a known page may spare it. */
function nextPage(filling: Filling, page: number, answer: PageAnswer | undefined): NextCall | undefined {
  const { input, center } = filling.search;
  // A list of new places may be full before its last page.
  if (answer?.nextPageToken === undefined || page >= lastPage(input) || filling.worthLooking || input.onlyNew)
    return undefined;
  return {
    operation: pageOperation,
    wanted: { subjects: [pageSubject(input, center, page + 1)], round: 0, request: randomUUID() },
    take: (plan) => {
      filling.begun = plan;
    },
  };
}
