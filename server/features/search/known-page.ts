import type { Place } from '#providers/provider.ts';
import type { KnownPlaces } from './place/place-memory.ts';
import type { SiftRules } from './sift-places.ts';

/** The places of a page that need not be paid for, with a call that brought one of them. */
export type KnownPage = { places: Place[]; callId: string | undefined };

/** Whether every search in this area would leave a place out. */
export const isDropped = (place: Place | undefined, rules: Pick<SiftRules, 'isOutside'>): boolean =>
  place !== undefined && (place.closedPermanently || rules.isOutside(place));

/**
 * Returns a page if nothing on it is worth paying for, else undefined: a page costs the same whatever it holds.
 * Each of its places is in the list already, would be dropped, or is in another list of the user.
 */
export function knownPage(
  placeIds: readonly string[],
  known: KnownPlaces,
  rules: Pick<SiftRules, 'isOutside' | 'stored'> & { onlyNew: boolean },
): KnownPage | undefined {
  const places: Place[] = [];
  let callId: string | undefined;
  for (const id of placeIds) {
    const one = known.places.get(id);
    const isListed = rules.stored.has(id) || (rules.onlyNew && known.elsewhere.has(id));
    if (!isListed && !isDropped(one?.place, rules) && !one?.whole) return undefined;
    places.push(one?.place ?? { id, name: '', serviceArea: false, closedPermanently: false });
    callId ??= one?.callId ?? known.elsewhere.get(id) ?? undefined;
  }
  return { places, callId };
}
