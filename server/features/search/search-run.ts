import { z } from 'zod/mini';
import { COMPLETENESS } from '#contract/completeness.ts';
import { prices } from '#providers/prices.ts';
import { type LocatedPlace, type PlaceFinder, ProviderError } from '#providers/provider.ts';
import { AppError } from '#server/http/app-error.ts';
import type { Outcome } from '#server/paid-calls/operation.ts';
import { pay } from '#server/paid-calls/pay.ts';
import { pause } from '#server/pause.ts';
import type { KindDefinition, RunContext } from '#server/runs/run-context.ts';
import { setTotals } from '#server/runs/totals.ts';
import { addLeads, storedPlaceIds } from './lead-rows.ts';
import {
  locateOperation,
  type PageAnswer,
  pageOperation,
  placeSubject,
  REMEMBER_PAGE_MS,
  REMEMBER_PLACE_MS,
  REMEMBER_UNKNOWN_PLACE_MS,
} from './search-operations.ts';
import { NOTHING_SIFTED, type SiftRules, siftPlaces } from './sift-places.ts';

/** Places on one page: Google's maximum. Every page of a query must ask for the same number. */
export const PAGE_SIZE = 20;
/** A page token is sometimes refused because it is not valid yet. */
const TOKEN_PAUSE_MS = 2_000;

/** What a search run stores as its input. Radius in metres. */
export const SearchInput = z.object({
  query: z.string(),
  location: z.string(),
  radiusMetres: z.number(),
  maxResults: z.number(),
});
export type SearchInput = z.infer<typeof SearchInput>;

export const pagesNeeded = (maxResults: number): number => Math.ceil(maxResults / PAGE_SIZE);

/** Locates the place, then fills the list page by page. */
export const searchKind: KindDefinition = {
  provider: 'google_places',
  async execute(context) {
    const input = SearchInput.parse(context.run.input);
    const finder = context.deps.providers.placeFinder(context.key.apiKey);
    const centre = await locate(context, finder, input.location);
    await searchPages(context, finder, input, centre);
  },
  async listAfter(_tx, list, end) {
    if (end === 'failed' || (end === 'cancelled' && list.lead_count === 0)) return {};
    return { tier1_complete: true, completeness: list.tier2_complete ? list.completeness : COMPLETENESS.tier1 };
  },
};

async function locate(context: RunContext, finder: PlaceFinder, location: string): Promise<LocatedPlace> {
  const { run } = context;
  const subject = placeSubject(location);
  const outcomes = await pay(context, {
    operation: locateOperation,
    subjects: [subject],
    async send() {
      const place = (await finder.locate(location)) ?? null;
      const rememberMs = place ? REMEMBER_PLACE_MS : REMEMBER_UNKNOWN_PLACE_MS;
      return new Map([[subject, { answer: { place }, costMicros: prices.googleLocateMicros, rememberMs }]]);
    },
    async store(tx, answered) {
      const label = answered[0]?.answer.place?.label;
      if (label) await tx.updateTable('lists').set({ resolved_place: label }).where('id', '=', run.listId).execute();
    },
  });
  const outcome = outcomes.get(subject);
  if (outcome?.state !== 'answered') throw lostAnswer();
  if (!outcome.answer.place)
    throw new AppError(
      'UNKNOWN_PLACE',
      `“${location}” is not known as a place, so nothing was searched. Check the spelling, or add the state, such as “Springfield, IL”.`,
    );
  return outcome.answer.place;
}

const lostAnswer = () =>
  new AppError(
    'PROVIDER_FAILED',
    'Google Places sent no answer that could be read, and one request may have been charged. Press Retry to send it again.',
  );

async function searchPages(context: RunContext, finder: PlaceFinder, input: SearchInput, centre: LocatedPlace) {
  const { deps, run } = context;
  const stored = await storedPlaceIds(deps.db, run.listId);
  const rules: SiftRules = {
    centre,
    radiusMetres: input.radiusMetres,
    stored,
    room: Math.max(0, input.maxResults - stored.size),
  };
  let sifted = NOTHING_SIFTED;
  let pageToken: string | undefined;
  let pages = 0;
  let pagesLost = 0;
  for (let page = 1; page <= pagesNeeded(input.maxResults); page += 1) {
    const outcome = await buyPage(context, finder, { input, centre, page, pageToken }, async (tx, answer, callId) => {
      const { after, add } = siftPlaces(sifted, answer.places, rules);
      await addLeads(tx, run.listId, add, callId);
      await setTotals(tx, context, totalsOf(input, after, pages + 1, pagesLost));
    });
    if (outcome?.state !== 'answered') {
      pagesLost += 1;
      break;
    }
    sifted = siftPlaces(sifted, outcome.answer.places, rules).after;
    pages += 1;
    pageToken = outcome.answer.nextPageToken;
    if (!pageToken) break;
  }
  await setTotals(deps.db, context, totalsOf(input, sifted, pages, pagesLost));
  if (pages === 0 && stored.size === 0) throw lostAnswer();
}

function totalsOf(
  input: SearchInput,
  { seen: _seen, added: _added, ...counts }: typeof NOTHING_SIFTED,
  pages: number,
  pagesLost: number,
) {
  return { requested: input.maxResults, ...counts, pages, pagesLost };
}

type PageRequest = { input: SearchInput; centre: LocatedPlace; page: number; pageToken: string | undefined };
type StorePage = (tx: Parameters<typeof addLeads>[0], answer: PageAnswer, callId: string) => Promise<void>;

/** One page; undefined when Google no longer accepts the token that leads to it. */
async function buyPage(
  context: RunContext,
  finder: PlaceFinder,
  request: PageRequest,
  storePage: StorePage,
): Promise<Outcome<PageAnswer> | undefined> {
  const { input, centre, page, pageToken } = request;
  const { latitude, longitude } = centre;
  const subject = `list ${context.run.listId}, ${placeSubject(input.query)} within ${input.radiusMetres} m of ${latitude},${longitude}, page ${page}`;
  const buy = async () => {
    const outcomes = await pay(context, {
      operation: pageOperation,
      subjects: [subject],
      async send() {
        const answer = await finder.searchPage({
          category: input.query,
          centre,
          radiusMetres: input.radiusMetres,
          pageSize: PAGE_SIZE,
          ...(pageToken === undefined ? {} : { pageToken }),
        });
        return new Map([
          [subject, { answer, costMicros: prices.googleSearchPageMicros, rememberMs: REMEMBER_PAGE_MS }],
        ]);
      },
      async store(tx, [answered]) {
        if (answered) await storePage(tx, answered.answer, answered.callId);
      },
    });
    return outcomes.get(subject);
  };
  const refused = (error: unknown): undefined => {
    if (!(page > 1 && error instanceof ProviderError && error.kind === 'bad_request')) throw error;
  };
  try {
    return await buy();
  } catch (error) {
    refused(error);
    await pause(TOKEN_PAUSE_MS, context.signal);
    return buy().catch(refused);
  }
}
