import tzLookup from '@photostructure/tz-lookup';
import { zipCenters } from '#area/named/zip-codes.ts';
import { STATE_ZONES } from './state-zones.ts';

/** In degrees. */
export type Point = { latitude: number; longitude: number };

/** Places are told apart to so many degrees, about five kilometers: leads of a town share what is found out. */
const SQUARE = 0.05;
export const squareOf = ({ latitude, longitude }: Point): Point => ({
  latitude: Math.round(latitude / SQUARE) * SQUARE,
  longitude: Math.round(longitude / SQUARE) * SQUARE,
});

/** How far around a spot zones count, in degrees: about ten kilometers. The boundaries that are looked up are coarse. */
const REACH = 0.1;
const AROUND = [-1, 0, 1].flatMap((north) => [-1, 0, 1].map((east) => [north * REACH, east * REACH] as const));

/** The time zones around a spot. None beside the poles, beside the date line, and of what is no spot. */
export function zonesAround({ latitude, longitude }: Point): string[] {
  if (!(Math.abs(latitude) < 89 && Math.abs(longitude) < 179)) return [];
  return [...new Set(AROUND.map(([north, east]) => tzLookup(latitude + north, longitude + east)))];
}

/** How far around a spot ZIP codes count, in degrees of latitude: about fifty kilometers. */
const NEAR = 0.5;

/** A ZIP code near a spot. `away`: how far its middle is, in degrees of latitude. */
export type NearZip = { zip: string; state: string; away: number };

const cellOf = (degrees: number): number => Math.round(degrees / NEAR);
const cellKey = (north: number, east: number): string => `${north} ${east}`;

type Center = Point & { zip: string; state: string };
let byCell: ReadonlyMap<string, readonly Center[]> | undefined;

/** The ZIP codes of states, in cells of half a degree. Those of the armed forces lie abroad. */
function readCells(): ReadonlyMap<string, readonly Center[]> {
  const centers = [...zipCenters()].map(([zip, { latitude, longitude, state }]) => ({
    zip,
    latitude,
    longitude,
    state,
  }));
  return Map.groupBy(
    centers.filter(({ state }) => STATE_ZONES[state]),
    ({ latitude, longitude }) => cellKey(cellOf(latitude), cellOf(longitude)),
  );
}

/** The ZIP codes with their middles near a spot, the nearest first. */
export function zipsAround({ latitude, longitude }: Point): NearZip[] {
  byCell ??= readCells();
  const narrow = Math.cos((latitude * Math.PI) / 180);
  const wide = Math.min(Math.ceil(1 / narrow), 10);
  const found: NearZip[] = [];
  for (let north = -1; north <= 1; north += 1)
    for (let east = -wide; east <= wide; east += 1)
      for (const one of byCell.get(cellKey(cellOf(latitude) + north, cellOf(longitude) + east)) ?? []) {
        const away = Math.hypot(one.latitude - latitude, (one.longitude - longitude) * narrow);
        if (away < NEAR) found.push({ zip: one.zip, state: one.state, away });
      }
  return found.sort((one, other) => one.away - other.away);
}
