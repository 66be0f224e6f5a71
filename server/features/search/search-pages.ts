import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { prices } from '#providers/prices.ts';
import { ProviderError } from '#providers/provider.ts';
import { pause } from '#server/lib/pause.ts';
import { awaitDeparture } from '#server/paid-calls/departure/departures.ts';
import { recordRecalls } from '#server/paid-calls/memory/record-recalls.ts';
import type { Outcome, Purchase } from '#server/paid-calls/operation.ts';
import { pay, payFromMemory } from '#server/paid-calls/pay.ts';
import { knownPage } from './known-page.ts';
import { type ListToFill, openList } from './list-to-fill.ts';
import { findKnownPlaces, hasPlacesWithin } from './place-memory.ts';
import { type Preview, previewPages } from './preview-pages.ts';
import type { Search } from './search.ts';
import { lastPage, pageSubject, queryOf } from './search-input.ts';
import { type PageAnswer, pageOperation, REMEMBER_PAGE_MS } from './search-operations.ts';

/** A page token is sometimes refused because it is not valid yet. */
const TOKEN_PAUSE_MS = 2_000;

/** How a page came: it holds the token of the next one, unless it is the last. */
type Page = { from: 'memory' | 'purchase' | 'preview'; nextPageToken?: string };

/**
 * Fills the list page by page, each in the cheapest way. Returns false when none came and the list holds nothing.
 * In order: from memory; from the user's own lists, when a free look says that they hold all of it; by paying.
 */
export async function searchPages(search: Search): Promise<boolean> {
  const { context, finder, input, center } = search;
  const takeTurn = () => awaitDeparture(context, 'google_places');
  const preview = previewPages(finder, queryOf(input, center), takeTurn, context.signal);
  const worthLooking =
    input.onlyNew === true || (await hasPlacesWithin(context.deps.db, context.run, center, input.radiusMeters));
  const done = await fillFrom(search, preview, worthLooking);
  // Google did not take a token of its ids-only pages for one that is paid: all pages have to be paid for, one after the other.
  return done ?? (await fillFrom(search, preview, false)) ?? false;
}

/** Returns undefined when a page behind one that was not paid for cannot be reached. */
async function fillFrom(search: Search, preview: Preview, worthLooking: boolean): Promise<boolean | undefined> {
  const list = await openList(search);
  let before: Page | undefined;
  for (let page = 1; page <= lastPage(search.input) && !list.isFull(); page += 1) {
    const got = await getPage({ search, list, preview, worthLooking }, page, before);
    if (got === 'out of reach') return undefined;
    if (got === 'lost') return list.end({ lost: true });
    list.pageCame();
    if (got.nextPageToken === undefined) break;
    before = got;
  }
  return list.end({ lost: false });
}

type Filling = { search: Search; list: ListToFill; preview: Preview; worthLooking: boolean };

/** Gets one page in the cheapest way, and keeps what it brings: from memory, from the user's own lists, or by paying. */
async function getPage(
  { search, list, preview, worthLooking }: Filling,
  page: number,
  before: Page | undefined,
): Promise<Page | 'out of reach' | 'lost'> {
  const subject = pageSubject(search.input, search.center, page);
  const remembered = await payFromMemory(search.context, {
    operation: pageOperation,
    subjects: [subject],
    store: list.store,
  });
  const outcome = remembered.get(subject);
  const copied = outcome || !worthLooking ? undefined : await copyPage({ search, list, preview }, page, subject);
  if (copied) return copied;
  const bought = outcome ?? (await buyPage(search, page, await tokensFor(page, before, preview), list.store));
  if (!bought && before?.from === 'preview') return 'out of reach';
  if (bought?.state !== 'answered') return 'lost';
  const { nextPageToken } = bought.answer;
  return { from: outcome ? 'memory' : 'purchase', ...(nextPageToken === undefined ? {} : { nextPageToken }) };
}

/** Takes a page from what the user's lists hold, if a free look says that they hold all of it. */
async function copyPage(
  { search: { context, input }, list, preview }: Omit<Filling, 'worthLooking'>,
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
      return { place, callId: origin?.callId ?? null, ...(origin ? { since: origin.answeredAt } : {}) };
    });
    await list.keep(tx, leads);
    const { callId } = copy;
    if (callId !== undefined) await recordRecalls(tx, run, pageOperation, [{ subject, callId, known: true }]);
  });
  return { from: 'preview', ...(free.nextPageToken === undefined ? {} : { nextPageToken: free.nextPageToken }) };
}

/** Tokens that lead to a page, the surest first. One that was remembered may be too old, so that a fresh one is got for nothing. */
async function tokensFor(page: number, before: Page | undefined, preview: Preview): Promise<(string | undefined)[]> {
  if (!before) return [undefined];
  const { from, nextPageToken } = before;
  if (from === 'purchase') return [nextPageToken, nextPageToken];
  const fresh = await preview.page(page - 1).catch(unlessRefused);
  return [...new Set([fresh?.nextPageToken ?? nextPageToken, nextPageToken])];
}

/** A look that was refused costs nothing and is not needed; whatever is wrong, the paid call will meet it too. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof ProviderError)) throw error;
}

/** Pays for one page; undefined when Google accepts none of the tokens that lead to it. */
async function buyPage(
  { context, finder, input, center }: Search,
  page: number,
  tokens: readonly (string | undefined)[],
  store: Purchase<PageAnswer>['store'],
): Promise<Outcome<PageAnswer> | undefined> {
  const subject = pageSubject(input, center, page);
  for (const [tries, pageToken] of tokens.entries()) {
    if (tries > 0) await pause(TOKEN_PAUSE_MS, context.signal);
    try {
      const outcomes = await pay(context, {
        operation: pageOperation,
        subjects: [subject],
        async send() {
          const answer = await finder.searchPage({
            ...queryOf(input, center),
            ...(pageToken === undefined ? {} : { pageToken }),
          });
          return new Map([
            [subject, { answer, costMicros: prices.googleSearchPageMicros, rememberMs: REMEMBER_PAGE_MS }],
          ]);
        },
        ...(store ? { store } : {}),
      });
      return outcomes.get(subject);
    } catch (error) {
      if (!(page > 1 && error instanceof ProviderError && error.kind === 'bad_request')) throw error;
    }
  }
  return undefined;
}
