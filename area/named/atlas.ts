import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { toE7 } from '#area/rectangle.ts';
import type { Polygon, Shape } from '#area/shape/shape.ts';
import { countyName } from './county-names.ts';

/** A county or a state of the USA. `name`: with what it is, such as “Cook County”. */
export type Boundary = { fips: string; name: string; shape: Shape };

const COUNTY_DIGITS = 5;

type Named = GeometryCollection<{ name: string }>;
type Atlas = Topology<{ counties: Named; states: Named }>;

const require = createRequire(import.meta.url);
// 850 kB of text, which only searches of such areas need.
let loaded: Atlas | undefined;
const atlas = (): Atlas => {
  loaded ??= require('us-atlas/counties-10m.json') as Atlas;
  return loaded;
};

/** `fips`: two digits of the state and three of the county. Returns undefined for one that does not exist. */
export const countyOf = (fips: string): Boundary | undefined => boundaryOf('counties', fips);

/** `fips`: two digits. Returns undefined for one that does not exist. */
export const stateOf = (fips: string): Boundary | undefined => boundaryOf('states', fips);

/** All counties, by state and name. */
export const listCounties = (): { fips: string; name: string }[] =>
  atlas()
    .objects.counties.geometries.map((county) => ({ fips: String(county.id), name: nameOf(county) }))
    .toSorted((a, b) => a.fips.slice(0, 2).localeCompare(b.fips.slice(0, 2)) || a.name.localeCompare(b.name));

function nameOf({ id, properties }: Named['geometries'][number]): string {
  const fips = String(id);
  const name = properties && 'name' in properties ? properties.name : fips;
  return fips.length === COUNTY_DIGITS ? countyName(fips, name) : name;
}

function boundaryOf(kind: keyof Atlas['objects'], fips: string): Boundary | undefined {
  const found = atlas().objects[kind].geometries.find(({ id }) => id === fips);
  if (!found) return undefined;
  return { fips, name: nameOf(found), shape: shapeOf(found) };
}

function shapeOf(found: Named['geometries'][number]): Shape {
  const made = feature(atlas(), found);
  if (made.type === 'Feature' && made.geometry.type === 'Polygon') return [toPolygon(made.geometry.coordinates)];
  if (made.type === 'Feature' && made.geometry.type === 'MultiPolygon') return made.geometry.coordinates.map(toPolygon);
  throw new Error('A boundary in us-atlas is neither a polygon nor several of them.');
}

const toPolygon = (rings: readonly (readonly (readonly number[])[])[]): Polygon =>
  rings.map((ring) => ring.slice(0, -1).map(([x = 0, y = 0]) => [toE7(x), toE7(y)] as const));
