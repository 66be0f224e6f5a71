import { orient2d } from 'robust-predicates';
import { type E7, E7_PER_DEGREE } from '#area/rectangle.ts';
import { type Crossing, crossingOf } from './crossing.ts';
import { FULL_TURN, HALF_TURN, isCounterclockwise, type Polygon, type Ring, type Shape, surrounds } from './shape.ts';

export type GeoJsonArea =
  | { type: 'Polygon'; coordinates: readonly (readonly (readonly number[])[])[] }
  | { type: 'MultiPolygon'; coordinates: readonly (readonly (readonly (readonly number[])[])[])[] };

/** The most points and rings of an area. Finer lines bring no further business, but each cut reads them all. */
export type Most = { points: number; rings: number };

export type ReadArea = { kind: 'shape'; shape: Shape } | { kind: 'invalid'; message: string };

/** Reads an area as RFC 7946 writes it. An invalid one is refused with the polygon and the ring that are wrong. */
export function readGeoJson(
  area: GeoJsonArea,
  most: Most = { points: Number.POSITIVE_INFINITY, rings: Number.POSITIVE_INFINITY },
): ReadArea {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  const rings = polygons.flat();
  const points = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (polygons.length === 0 || points === 0) return invalid('The area is empty. Draw or paste at least one polygon.');
  if (points > most.points)
    return invalid(
      `The area has ${number(points)} points. The most is ${number(most.points)}: simplify its lines, then try again.`,
    );
  if (rings.length > most.rings)
    return invalid(
      `The area has ${number(rings.length)} parts and holes. The most is ${number(most.rings)}: leave out the smallest, then try again.`,
    );
  const shape: Polygon[] = [];
  for (const [at, rings] of polygons.entries()) {
    const read = readPolygon(rings, (ring) => nameOf(polygons.length > 1 ? at : undefined, ring));
    if (typeof read === 'string') return invalid(read);
    shape.push(read);
  }
  return { kind: 'shape', shape };
}

const invalid = (message: string): ReadArea => ({ kind: 'invalid', message });
const number = (value: number) => value.toLocaleString('en-US');

function nameOf(polygon: number | undefined, ring: number): string {
  const part = polygon === undefined ? '' : ` of polygon ${polygon + 1}`;
  return ring === 0 ? `The outer ring${part}` : `Hole ${ring}${part}`;
}

type Position = readonly number[];

/** Returns what is wrong as a text. */
function readPolygon(rings: readonly (readonly Position[])[], name: (ring: number) => string): Polygon | string {
  if (rings.length === 0) return `${name(0)} is missing.`;
  const read: Ring[] = [];
  for (const [at, positions] of rings.entries()) {
    const ring = readRing(positions, at === 0);
    if (typeof ring === 'string') return `${name(at)} ${ring}`;
    read.push(ring);
  }
  const [border = [], ...holes] = read;
  const west = border.reduce((least, [x]) => Math.min(least, x), Number.POSITIVE_INFINITY);
  const aligned = holes.map((hole) => eastOf(west, hole));
  const crossing = crossingOf([border, ...aligned]);
  if (crossing) return crossingText(crossing, name);
  const outside = aligned.findIndex((hole) => !hole.some(([x, y]) => surrounds(border, x, y)));
  if (outside >= 0) return `${name(outside + 1)} lies outside of the outer ring. Draw it inside, or remove it.`;
  return [border, ...aligned];
}

function crossingText({ rings: [one, other], near }: Crossing, name: (ring: number) => string): string {
  if (one === other) return `${name(one)} crosses itself near ${onMap(near)}.`;
  if (one === 0) return `${name(other)} crosses the outer ring. Draw it inside.`;
  return `${name(other)} crosses hole ${one}. Join them into one.`;
}

const onMap = ([x, y]: Ring[number]): string =>
  [x > HALF_TURN ? x - FULL_TURN : x, y].map((e7) => (e7 / E7_PER_DEGREE).toFixed(5)).join(', ');

/** Returns what is wrong as the end of a sentence. */
function readRing(positions: readonly Position[], isBorder: boolean): Ring | string {
  if (positions.length < 4) return 'has fewer than four points. A ring needs three, and its first again at its end.';
  const bad = positions.findIndex(([longitude, latitude]) => !onEarth(longitude, latitude));
  if (bad >= 0)
    return `leaves the earth at point ${bad + 1} (${positions[bad]?.slice(0, 2).join(', ')}). Longitude comes first, from -180 to 180, then latitude, from -90 to 90.`;
  const [first, last] = [positions[0], positions.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) return 'is not closed. Repeat its first point at its end.';
  const ring = unwrapped(positions.slice(0, -1).map(([x = 0, y = 0]) => [round(x), round(y)] as const));
  if (!ring) return 'goes around a pole. Cut the area along a meridian first.';
  const distinct = ring.filter(([x, y], at) => x !== ring.at(at - 1)?.[0] || y !== ring.at(at - 1)?.[1]);
  const wide = isBorder ? wideEdge(positions) : undefined;
  if (wide !== undefined && !isCounterclockwise(distinct))
    return `has an edge of more than 180 degrees of longitude, after point ${wide}. Add points between, or cut the area at 180 degrees. If that edge is meant to cross 180 degrees, list the points counterclockwise.`;
  if (isFlat(distinct)) return 'encloses no area.';
  return distinct;
}

const round = (degrees: number): E7 => Math.round(degrees * E7_PER_DEGREE);

const onEarth = (longitude: number | undefined, latitude: number | undefined): boolean =>
  Math.abs(longitude ?? Number.NaN) <= 180 && Math.abs(latitude ?? Number.NaN) <= 90;

/** A step of more than half a turn goes the other way, over the antimeridian. Returns undefined when the ring goes around a pole. */
function unwrapped(ring: Ring): Ring | undefined {
  let turns = 0;
  let before = ring[0]?.[0] ?? 0;
  const points = ring.map(([x, y]) => {
    if (x - before > HALF_TURN) turns -= 1;
    else if (before - x > HALF_TURN) turns += 1;
    before = x;
    return [x + turns * FULL_TURN, y] as const;
  });
  const first = ring[0]?.[0] ?? 0;
  const end = first - before > HALF_TURN ? turns - 1 : before - first > HALF_TURN ? turns + 1 : turns;
  if (end !== 0) return undefined;
  const west = points.reduce((least, [x]) => Math.min(least, x), Number.POSITIVE_INFINITY);
  return west < -HALF_TURN ? points.map(([x, y]) => [x + FULL_TURN, y] as const) : points;
}

/**
 * Which edge is longer than half a turn, from 1. By RFC 7946 it is straight in degrees; many programs mean the short way, over the antimeridian.
 * - A border runs counterclockwise, so its direction tells which way is meant.
 */
function wideEdge(positions: readonly Position[]): number | undefined {
  const at = positions.findIndex(([x = 0], index) => Math.abs((positions[index + 1]?.[0] ?? x) - x) > 180);
  return at < 0 ? undefined : at + 1;
}

/** Moves a hole by full turns to where its border is. */
function eastOf(west: E7, hole: Ring): Ring {
  const turns = Math.ceil((west - (hole[0]?.[0] ?? 0)) / FULL_TURN);
  return turns === 0 ? hole : hole.map(([x, y]) => [x + turns * FULL_TURN, y] as const);
}

/** Whether all of its points lie on one line. */
function isFlat([first = [0, 0], second = first, ...others]: Ring): boolean {
  return others.every(([x, y]) => orient2d(...first, ...second, x, y) === 0);
}
