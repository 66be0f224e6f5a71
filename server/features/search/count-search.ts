import type { DataOf } from '#contract/endpoint.ts';
import { MISSING_KEY } from '#contract/providers.ts';
import type { countSearchEndpoint, SearchRequest } from '#contract/work/search/search.ts';
import { openApiKey } from '#server/api-keys/api-key.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { pause } from '#server/lib/pause.ts';
import { takeDeparture } from '#server/paid-calls/departure/departures.ts';
import { isDropped, knownPage } from './known-page.ts';
import { openKnownOf } from './open/known-matches.ts';
import { findKnownPlaces, hasPlacesWithin } from './place/place-memory.ts';
import { unknownPlace } from './place/unknown-place.ts';
import { previewPages } from './preview-pages.ts';
import { priceSearch } from './price-search.ts';
import { circleOf, inputOf, lastPage, queryOf } from './search-input.ts';
import { pageOperation } from './search-operations.ts';
import { outsideCircle } from './sift-places.ts';

/**
 * Counts the places that a search would come to, the new ones and those it will leave out, and prices it.
 * It never pays: when the location is not known yet, nothing is counted.
 * @throws MISSING_API_KEY, UNKNOWN_PLACE, ProviderError
 */
export async function countSearch(
  { deps, user: { userId }, signal }: Ctx,
  request: SearchRequest,
): Promise<DataOf<typeof countSearchEndpoint>> {
  const { db } = deps;
  const key = await openApiKey(deps, userId, 'google_places');
  if (!key) throw new AppError('MISSING_API_KEY', MISSING_KEY.google_places);
  const memory = { userId, sandbox: key.sandbox };
  const input = inputOf(request);
  const { center, lookUpMicros, pagesToBuy, boundMicros } = await priceSearch(db, memory, input);
  if (center === null) throw unknownPlace(input.location);
  const callMicros = lookUpMicros || pageOperation.estimateMicros;
  if (center === undefined)
    return {
      place: null,
      lookUpMicros,
      found: 0,
      more: false,
      unlisted: 0,
      leftOut: 0,
      boundMicros,
      callMicros,
      sandbox: key.sandbox,
    };

  const finder = deps.providers.placeFinder(key.apiKey);
  const takeTurn = async () => pause(await takeDeparture({ deps, key }, 'google_places'), signal);
  const preview = previewPages(finder, queryOf(input, center), takeTurn, signal);
  const onlyNew = input.onlyNew === true;
  const what = { queries: [input.query], area: circleOf(input, center) };
  const open = await openKnownOf(db, memory, input.source, what);
  const stored = open?.placeIds ?? new Set<string>();
  const looks = onlyNew || stored.size > 0 || (await hasPlacesWithin(db, memory, center, input.radiusMeters));
  const rules = { isOutside: outsideCircle(center, input.radiusMeters), stored, onlyNew };
  let toBuy = 0;
  let found = 0;
  let unlisted = 0;
  let leftOut = 0;
  let matched = 0;
  let more = false;
  for (let page = 1; page <= lastPage(input); page += 1) {
    const free = await preview.page(page);
    if (!free) break;
    const known = await findKnownPlaces(db, memory, undefined, free.placeIds);
    const isLeftOut = (id: string) => isDropped(known.places.get(id)?.place, rules);
    const room = onlyNew ? Number.POSITIVE_INFINITY : input.maxResults - (found - leftOut);
    const reached = untilFull(free.placeIds, isLeftOut, room);
    const kept = reached.filter((id) => !isLeftOut(id));
    found += reached.length;
    leftOut += reached.length - kept.length;
    matched += reached.filter((id) => stored.has(id)).length;
    unlisted += kept.filter((id) => !known.elsewhere.has(id)).length;
    more = reached.length < free.placeIds.length || free.nextPageToken !== undefined;
    if (pagesToBuy.includes(page) && !(looks && knownPage(free.placeIds, known, rules))) toBuy += 1;
  }
  const counts = { found, unlisted, leftOut, more };
  return {
    place: center.label,
    lookUpMicros,
    ...counts,
    boundMicros: toBuy * pageOperation.estimateMicros,
    callMicros,
    sandbox: key.sandbox,
    ...(open ? { openData: { places: open.places, sources: open.sources, matched } } : {}),
  };
}

/** The places that a search with so much room comes to, in their order: up to the last one that it keeps. */
function untilFull(placeIds: readonly string[], isLeftOut: (id: string) => boolean, room: number): readonly string[] {
  const last = placeIds.filter((id) => !isLeftOut(id))[room - 1];
  return last === undefined ? placeIds : placeIds.slice(0, placeIds.indexOf(last) + 1);
}
