import { briefly } from '#db/guarded-transaction.ts';
import type { Tx } from '#db/tx.ts';
import { prices } from '#providers/prices.ts';
import { type LocatedPlace, type PlaceFinder, ProviderError } from '#providers/provider.ts';
import { pause } from '#server/lib/pause.ts';
import { takeSlot } from '#server/paid-calls/departure/departures.ts';
import { recordRecalls } from '#server/paid-calls/memory/record-recalls.ts';
import type { Outcome, Purchase } from '#server/paid-calls/operation.ts';
import { pay, payFromMemory } from '#server/paid-calls/pay.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import { setTotals } from '#server/runs/totals.ts';
import { knownPage } from './known-page.ts';
import { addLeads, type NewLead, storedPlaceIds } from './lead-rows.ts';
import { findKnownPlaces, hasPlacesWithin, rememberPlaces } from './place-memory.ts';
import { type Preview, previewPages } from './preview-pages.ts';
import { lastPage, pageSubject, queryOf, type SearchInput } from './search-input.ts';
import { type PageAnswer, pageOperation, REMEMBER_PAGE_MS } from './search-operations.ts';
import { NOTHING_SIFTED, type SiftRules, siftPlaces } from './sift-places.ts';

/** A page token is sometimes refused because it is not valid yet. */
const TOKEN_PAUSE_MS = 2_000;

export type Search = {
  context: ListRunContext;
  finder: PlaceFinder;
  input: SearchInput;
  centre: LocatedPlace;
};

/** How a page came: it holds the token of the next one, unless it is the last. */
type Page = { from: 'memory' | 'purchase' | 'preview'; nextPageToken?: string };

/**
 * Fills the list page by page, in the cheapest way that leads to each: from memory, from the user's own lists when a free look says
 * that they hold all of it, else by paying. Returns false when
 * none came and the list holds nothing.
 */
export async function searchPages(search: Search): Promise<boolean> {
  const { context, finder, input, centre } = search;
  const takeTurn = () => takeSlot(context, 'google_places');
  const preview = previewPages(finder, queryOf(input, centre), takeTurn, context.signal);
  const worthLooking =
    input.onlyNew === true || (await hasPlacesWithin(context.deps.db, context.run, centre, input.radiusMetres));
  const done = await fillFrom(search, preview, worthLooking);
  // Google did not take a token of its ids-only pages for one that is paid: all pages have to be paid for, one after the other.
  return done ?? (await fillFrom(search, preview, false)) ?? false;
}

/** Undefined when a page behind one that was not paid for cannot be reached. */
async function fillFrom(search: Search, preview: Preview, worthLooking: boolean): Promise<boolean | undefined> {
  const { context, input, centre } = search;
  const { deps, run } = context;
  const stored = await storedPlaceIds(deps.db, run.listId);
  const rules = {
    ...{ centre, radiusMetres: input.radiusMetres, stored },
    room: Math.max(0, input.maxResults - stored.size),
    elsewhere: new Set<string>(),
  } satisfies SiftRules;
  let sifted = NOTHING_SIFTED;
  let pages = 0;
  let pagesLost = 0;

  const store: Purchase<PageAnswer>['store'] = async (tx, [answered]) => {
    if (!answered) return;
    await rememberPlaces(tx, run, answered);
    await keep(
      tx,
      answered.answer.places.map((place) => ({ place, callId: answered.callId })),
    );
  };
  let after = sifted;
  async function keep(tx: Tx, found: readonly NewLead[]): Promise<void> {
    const ids = found.map(({ place }) => place.id);
    if (input.onlyNew)
      for (const id of (await findKnownPlaces(tx, run, run.listId, ids)).elsewhere.keys()) rules.elsewhere.add(id);
    const sorted = siftPlaces(
      sifted,
      found.map(({ place }) => place),
      rules,
    );
    const kept = new Set(sorted.add);
    after = sorted.after;
    await addLeads(
      tx,
      run.listId,
      found.filter(({ place }) => kept.has(place)),
    );
    await setTotals(tx, context, totalsOf(input, after, pages + 1, pagesLost));
  }

  let before: Page | undefined;
  for (let page = 1; page <= lastPage(input); page += 1) {
    if (input.onlyNew && sifted.added >= rules.room) break;
    const subject = pageSubject(input, centre, page);
    const outcome = (await payFromMemory(context, { operation: pageOperation, subjects: [subject], store })).get(
      subject,
    );
    const copied = outcome || !worthLooking ? undefined : await copyPage(page, subject);
    if (copied) before = copied;
    else {
      const bought = outcome ?? (await buyPage(search, page, await tokensFor(page, before, preview), store));
      if (!bought && before?.from === 'preview') return undefined;
      if (bought?.state !== 'answered') {
        pagesLost += 1;
        break;
      }
      const { nextPageToken } = bought.answer;
      before = { from: outcome ? 'memory' : 'purchase', ...(nextPageToken === undefined ? {} : { nextPageToken }) };
    }
    sifted = after;
    pages += 1;
    if (before.nextPageToken === undefined) break;
  }
  // Each page that came has written them.
  if (pages === 0 || pagesLost > 0) await setTotals(deps.db, context, totalsOf(input, sifted, pages, pagesLost));
  return pages > 0 || stored.size > 0;

  async function copyPage(page: number, subject: string): Promise<Page | undefined> {
    const free = await preview.page(page).catch(unlessRefused);
    if (!free) return undefined;
    const known = await findKnownPlaces(deps.db, run, run.listId, free.placeIds);
    const copy = knownPage(free.placeIds, known, { ...rules, onlyNew: input.onlyNew === true });
    if (!copy) return undefined;
    await briefly(deps.db, async (tx) => {
      await keep(
        tx,
        copy.places.map((place) => {
          const origin = known.places.get(place.id);
          return { place, callId: origin?.callId ?? null, ...(origin ? { since: origin.answeredAt } : {}) };
        }),
      );
      const { callId } = copy;
      if (callId !== undefined) await recordRecalls(tx, run, pageOperation, [{ subject, callId, known: true }]);
    });
    return { from: 'preview', ...(free.nextPageToken === undefined ? {} : { nextPageToken: free.nextPageToken }) };
  }
}

function totalsOf(
  input: SearchInput,
  { seen: _seen, added: _added, ...counts }: typeof NOTHING_SIFTED,
  pages: number,
  pagesLost: number,
) {
  return { requested: input.maxResults, ...counts, pages, pagesLost };
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
  { context, finder, input, centre }: Search,
  page: number,
  tokens: readonly (string | undefined)[],
  store: Purchase<PageAnswer>['store'],
): Promise<Outcome<PageAnswer> | undefined> {
  const subject = pageSubject(input, centre, page);
  for (const [tries, pageToken] of tokens.entries()) {
    if (tries > 0) await pause(TOKEN_PAUSE_MS, context.signal);
    try {
      const outcomes = await pay(context, {
        operation: pageOperation,
        subjects: [subject],
        async send() {
          const answer = await finder.searchPage({
            ...queryOf(input, centre),
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
