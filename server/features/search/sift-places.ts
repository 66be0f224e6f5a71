import { metersBetween } from '#providers/geo.ts';
import type { Coordinates, Place } from '#providers/provider.ts';

export type SiftRules = {
  /** Whether a place is outside the area of the search. */
  isOutside(place: Place): boolean;
  /** Place ids that the list holds already; they do not count as new. */
  stored: ReadonlySet<string>;
  /** How many places may be added to those. */
  room: number;
  /** Place ids that are left out because another list has them. */
  elsewhere: ReadonlySet<string>;
};

/** Where the places of all pages so far went. `added` is in the provider's order. */
export type Sifted = {
  seen: ReadonlySet<string>;
  added: number;
  found: number;
  kept: number;
  outsideRadius: number;
  closed: number;
  duplicates: number;
  alreadyListed: number;
  beyondMaximum: number;
  serviceArea: number;
};

export const NOTHING_SIFTED: Sifted = {
  seen: new Set(),
  added: 0,
  found: 0,
  kept: 0,
  outsideRadius: 0,
  closed: 0,
  duplicates: 0,
  alreadyListed: 0,
  beyondMaximum: 0,
  serviceArea: 0,
};

/**
 * Sorts the places of one more page: each is kept, or dropped for exactly one reason.
 * - The rectangle searched may be larger than the area asked for. A place without coordinates has no distance and is kept.
 * - `add`: kept and not stored yet.
 */
export function siftPlaces(
  before: Sifted,
  places: readonly Place[],
  rules: SiftRules,
): { after: Sifted; add: Place[] } {
  const after = { ...before, seen: new Set(before.seen) };
  const add: Place[] = [];
  for (const place of places) {
    after.found += 1;
    if (after.seen.has(place.id)) after.duplicates += 1;
    else if (place.closedPermanently) after.closed += 1;
    else if (rules.isOutside(place)) after.outsideRadius += 1;
    else if (!rules.stored.has(place.id) && rules.elsewhere.has(place.id)) after.alreadyListed += 1;
    else if (!rules.stored.has(place.id) && after.added >= rules.room) after.beyondMaximum += 1;
    else {
      after.kept += 1;
      if (place.serviceArea) after.serviceArea += 1;
      if (!rules.stored.has(place.id)) {
        after.added += 1;
        add.push(place);
      }
    }
    after.seen.add(place.id);
  }
  return { after, add };
}

/** Tells whether a place is outside an area. One without coordinates is not. */
export const outsideOf =
  (holds: (point: Coordinates) => boolean) =>
  ({ latitude, longitude, serviceArea }: Place): boolean =>
    !serviceArea && latitude !== undefined && longitude !== undefined && !holds({ latitude, longitude });

/** The same for a circle. */
export const outsideCircle = (center: Coordinates, radiusMeters: number) =>
  outsideOf((point) => metersBetween(center, point) <= radiusMeters);
