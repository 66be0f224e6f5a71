import { type Box, centerOf, distanceMeters, isInside, type Point } from '#sandbox/geography/points.ts';
import type { Business } from './businesses.ts';
import { hashOf, type Random, seededRandom } from './random.ts';

/** A city of as many places as its key says, which are the same for every business type. */
export type City = {
  businesses: readonly Business[];
  /** Those in a box, most relevant first. */
  within(box: Box): Business[];
};

const MOST_PLACES = 20_000;
/** The length of its sides, in degrees of latitude. */
const SIDE = 0.14;
const CLUSTERS = 12;
/** More than Google shows for one query. */
const ON_ONE_SPOT = 75;

const CENTERS: Readonly<Record<string, Point>> = {
  kansas: { latitude: 38.5, longitude: -98.5 },
  aleutian: { latitude: 51.9, longitude: 179.99 },
  north: { latitude: 71.29, longitude: -156.79 },
};

const made = new Map<string, City>();

/**
 * The city that a key names: `sandbox-city-5000`, with `-clustered`, `-coincident` (points on exactly the same spot), `-aleutian` (over the
 * antimeridian) or `-north` behind it, and any name after that.
 */
export function cityOf(key: string): City | undefined {
  const [name, count = '', options = ''] =
    /\bcity-(\d+)((?:-(?:clustered|coincident|aleutian|north))*)/.exec(key) ?? [];
  if (name === undefined) return undefined;
  const known = made.get(name);
  if (known) return known;
  const city = build(name, Math.min(MOST_PLACES, Number(count)), new Set(options.split('-')));
  made.set(name, city);
  return city;
}

function build(name: string, count: number, options: ReadonlySet<string>): City {
  const random = seededRandom(name);
  const center = CENTERS[['aleutian', 'north'].find((one) => options.has(one)) ?? 'kansas'] ?? {
    latitude: 0,
    longitude: 0,
  };
  const width = SIDE / Math.cos((center.latitude * Math.PI) / 180);
  const clusters = Array.from({ length: CLUSTERS }, () => ({
    x: random.next(),
    y: random.next(),
    size: 0.005 + 0.04 * random.next(),
  }));
  const spot = { x: random.next(), y: random.next() };
  const at = (index: number): { x: number; y: number } => {
    if (options.has('coincident') && index < ON_ONE_SPOT) return spot;
    // Some lie exactly where the first cuts are made.
    if (index % 100 === 99) return { x: 0.5, y: random.next() };
    const cluster = options.has('clustered') && random.chance(0.8) ? random.pick(clusters) : undefined;
    if (!cluster) return { x: random.next(), y: random.next() };
    return {
      x: within(cluster.x + normal(random) * cluster.size),
      y: within(cluster.y + normal(random) * cluster.size),
    };
  };
  const businesses = Array.from({ length: count }, (_, index): Business => {
    const { x, y } = at(index);
    const longitude = center.longitude + (x - 0.5) * width;
    return {
      id: `${name}-${index}`,
      name: `Business ${index} of the city`,
      types: ['store', 'point_of_interest', 'establishment'],
      street: `${index + 1} Grid St`,
      city: 'Seedville',
      region: 'KS 67501',
      country: 'USA',
      latitude: rounded(center.latitude + (y - 0.5) * SIDE),
      longitude: rounded(longitude > 180 ? longitude - 360 : longitude),
      nationalPhone: `(620) 555-01${String(index % 97).padStart(2, '0')}`,
      internationalPhone: `+1 620-555-01${String(index % 97).padStart(2, '0')}`,
      website: `https://www.seedville-${index}.example/`,
      status: 'OPERATIONAL',
      serviceArea: false,
    };
  });
  const cells = Map.groupBy(businesses, cellOf);
  return {
    businesses,
    within(box) {
      const from = centerOf(box);
      return near(cells, box)
        .filter((business) => isInside(box, business))
        .map((business) => ({
          business,
          rank: (distanceMeters(from, business) + 3000) * (0.5 + hashOf(business.id) / 2 ** 32),
        }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ business }) => business);
    },
  };
}

const CELL = 0.01;
const row = (degrees: number) => Math.floor(degrees / CELL);
const cellOf = ({ latitude, longitude }: Point) => `${row(latitude)},${row(longitude)}`;

function near(cells: ReadonlyMap<string, Business[]>, { low, high }: Box): Business[] {
  const rows = row(high.latitude) - row(low.latitude) + 1;
  const columns = row(high.longitude) - row(low.longitude) + 1;
  if (columns < 1 || rows * columns > cells.size) return [...cells.values()].flat();
  return Array.from({ length: rows }, (_, down) =>
    Array.from(
      { length: columns },
      (__, right) => cells.get(`${row(low.latitude) + down},${row(low.longitude) + right}`) ?? [],
    ),
  ).flat(2);
}

const within = (share: number): number => Math.min(0.999_999, Math.max(0, share));
const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

/** Box and Muller's: a bell curve around zero. */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
