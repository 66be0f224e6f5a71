import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Delaunay } from 'd3-delaunay';
import { toE7 } from '#area/rectangle.ts';
import type { Polygon, Shape } from '#area/shape/shape.ts';

/** How far from its center a ZIP code reaches at most, in degrees of latitude. */
const REACH = 0.4;

type Center = { latitude: number; longitude: number; city: string; state: string };

/**
 * The area nearer to the centers of these ZIP codes than to those of all others.
 * - The Postal Service publishes no boundaries: a ZIP code is a set of addresses. So this is near, and not exact.
 * - `unknown`: those that do not exist.
 */
export function zipsOf(zips: readonly string[]): { shape: Shape; unknown: string[] } {
  const known = zipCenters();
  const unknown = zips.filter((zip) => !known.has(zip));
  const spots = new Map(zips.flatMap((zip) => known.get(zip) ?? []).map((center) => [spotOf(center), center]));
  return { shape: [...spots.values()].map(cellOf), unknown };
}

/** Where the middle of a ZIP code lies, and in which state; undefined for one that does not exist. In degrees. */
export const zipCenter = (zip: string): Center | undefined => zipCenters().get(zip);

/** The middles of the ZIP codes of a town, which may be none. `state`: two letters. */
export function townCenters(name: string, state: string): Center[] {
  const [wanted, code] = [name.trim().toLowerCase(), state.toUpperCase()];
  return [...zipCenters().values()].filter((center) => center.state === code && center.city.toLowerCase() === wanted);
}

let towns: ReadonlySet<string> | undefined;
const townKey = (name: string, state: string): string =>
  `${state} ${name.toLowerCase().replaceAll('.', '')}`
    .replace(/ st /, ' saint ')
    .replace(/ mt /, ' mount ')
    .replace(/ ft /, ' fort ');

/** Whether some ZIP code of a state is that of a town. `state`: two letters. */
export function isTown(name: string, state: string): boolean {
  towns ??= new Set([...zipCenters().values()].map((center) => townKey(center.city, center.state)));
  return towns.has(townKey(name, state));
}

/** Whether a ZIP code is that of a town. */
export function isTownOfZip(name: string, zip: string): boolean {
  const center = zipCenter(zip);
  return center !== undefined && townKey(name, center.state) === townKey(center.city, center.state);
}

/** Some share a center, such as those of post boxes: they have one cell. */
const spotOf = ({ latitude, longitude }: Pick<Center, 'latitude' | 'longitude'>): string => `${latitude},${longitude}`;

function cellOf(center: Center): Polygon {
  const narrow = Math.cos((center.latitude * Math.PI) / 180);
  const reach = { x: REACH, y: REACH };
  const near = new Map(
    [...zipCenters().values()]
      .filter(
        ({ latitude, longitude }) =>
          Math.abs(latitude - center.latitude) < 2 * REACH &&
          Math.abs(longitude - center.longitude) * narrow < 2 * REACH,
      )
      .map((other) => [spotOf(other), other]),
  );
  const spots = [center, ...[...near.values()].filter((other) => spotOf(other) !== spotOf(center))];
  const points = spots.map(
    ({ latitude, longitude }) =>
      [(longitude - center.longitude) * narrow, latitude - center.latitude] as [number, number],
  );
  const cell = Delaunay.from(points).voronoi([-reach.x, -reach.y, reach.x, reach.y]).cellPolygon(0);
  return [cell.slice(0, -1).map(([x, y]) => [toE7(center.longitude + x / narrow), toE7(center.latitude + y)] as const)];
}

const ENTRY =
  /"zip":"(\d{5})","latitude":(-?[\d.]+),"longitude":(-?[\d.]+),[^}]*?"city":"([^"]*)","state":"([A-Z]{2})","country":"US"/g;

let read: ReadonlyMap<string, Center> | undefined;

/** The middles of all ZIP codes. Read as text: evaluating the five megabytes as code would cost over a hundred megabytes of memory. */
export function zipCenters(): ReadonlyMap<string, Center> {
  read ??= new Map(
    [...readFileSync(createRequire(import.meta.url).resolve('zipcodes/lib/codes'), 'utf8').matchAll(ENTRY)]
      .map(
        ([, zip = '', latitude, longitude, city = '', state = '']) =>
          [zip, { latitude: Number(latitude), longitude: Number(longitude), city, state }] as const,
      )
      .filter(([, { latitude, longitude }]) => latitude !== 0 && longitude !== 0),
  );
  return read;
}
