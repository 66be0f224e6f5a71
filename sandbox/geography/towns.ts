import { type Box, distanceMeters, isInside, type Point, widened } from './points.ts';
import { loadPostcodes, loadStateNames, type Postcode, type PostcodeOfTown } from './zipcodes-data.ts';

/** A US town: the postcodes that share its name and state, with the median of their points as its center. */
export type Town = Point & { name: string; state: string; postcodes: readonly Postcode[] };

export type Towns = {
  byName(name: string, state?: string): Town | undefined;
  byPostcode(zip: string): { town: Town; postcode: Postcode } | undefined;
  /** "TX" for "tx" or "Texas". */
  stateCode(text: string): string | undefined;
  stateName(code: string): string | undefined;
  inState(code: string): readonly Town[];
  /** Towns with a postcode in a box or at most `meters` from it; of very many, the largest. */
  reachingInto(box: Box, meters: number): readonly Town[];
  /** The nearest town within `meters`. */
  nearest(point: Point, meters: number): Town | undefined;
};

const cellDegrees = 0.5;
const mostTowns = 400;
let loaded: Towns | undefined;

/** All towns, read at the first call: a sandbox that is never asked should cost no memory. */
export function towns(): Towns {
  loaded ??= buildTowns();
  return loaded;
}

/** Spelling that does not matter: case, dots, apostrophes, and the usual short forms. */
export function plainName(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(/^st /, 'saint ')
    .replace(/^ft /, 'fort ')
    .replace(/^mt /, 'mount ');
}

function buildTowns(): Towns {
  const stateNames = loadStateNames();
  const all = [...Map.groupBy(loadPostcodes(), ({ city, state }) => `${city}|${state}`).values()].map(toTown);
  const names = Map.groupBy(all, ({ name }) => plainName(name));
  const states = Map.groupBy(all, ({ state }) => state);
  const cells = Map.groupBy(all, ({ latitude, longitude }) => cellOf(latitude, longitude));
  const spots = all.flatMap((town) => town.postcodes.map((postcode) => ({ town, postcode })));
  const spotCells = Map.groupBy(spots, ({ postcode }) => cellOf(postcode.latitude, postcode.longitude));
  const zips = new Map<string, Town>();
  for (const town of all) for (const { zip } of town.postcodes) zips.set(zip, town);
  const codes = new Map([...stateNames].map(([code, name]) => [plainName(name), code]));

  return {
    byName(name, state) {
      const found = names.get(plainName(name))?.filter((town) => state === undefined || town.state === state) ?? [];
      return found.reduce<Town | undefined>(
        (largest, town) => (largest && largest.postcodes.length >= town.postcodes.length ? largest : town),
        undefined,
      );
    },
    byPostcode(zip) {
      const town = zips.get(zip);
      const postcode = town?.postcodes.find((one) => one.zip === zip);
      return town && postcode && { town, postcode };
    },
    stateCode(text) {
      const code = text.trim().toUpperCase();
      return states.has(code) ? code : codes.get(plainName(text));
    },
    stateName: (code) => stateNames.get(code),
    inState: (code) => states.get(code) ?? [],
    reachingInto(box, meters) {
      const wide = widened(box, meters);
      const width = (wide.high.longitude - wide.low.longitude + 360) % 360;
      const found = new Set<Town>();
      for (let latitude = wide.low.latitude; latitude < wide.high.latitude + cellDegrees; latitude += cellDegrees) {
        for (let east = 0; east < width + cellDegrees; east += cellDegrees) {
          const longitude = ((wide.low.longitude + east + 540) % 360) - 180;
          for (const { town, postcode } of spotCells.get(cellOf(latitude, longitude)) ?? [])
            if (isInside(wide, postcode)) found.add(town);
        }
      }
      const towns = [...found];
      if (towns.length <= mostTowns) return towns;
      return towns.sort((a, b) => b.postcodes.length - a.postcodes.length).slice(0, mostTowns);
    },
    nearest(point, meters) {
      const reach = Math.ceil(
        meters / (cellDegrees * 111_000 * Math.max(0.2, Math.cos((point.latitude * Math.PI) / 180))),
      );
      let best: Town | undefined;
      let bestMeters = meters;
      for (let row = -reach; row <= reach; row += 1) {
        for (let column = -reach; column <= reach; column += 1) {
          const cell = cellOf(point.latitude + row * cellDegrees, point.longitude + column * cellDegrees);
          for (const town of cells.get(cell) ?? []) {
            const away = distanceMeters(point, town);
            if (away > bestMeters) continue;
            best = town;
            bestMeters = away;
          }
        }
      }
      return best;
    },
  };
}

const cellOf = (latitude: number, longitude: number) =>
  `${Math.floor(latitude / cellDegrees)},${Math.floor(longitude / cellDegrees)}`;

function toTown(postcodes: PostcodeOfTown[]): Town {
  const [first] = postcodes;
  if (!first) throw new Error('a town has at least one postcode');
  return {
    name: first.city,
    state: first.state,
    latitude: median(postcodes.map(({ latitude }) => latitude)),
    longitude: median(postcodes.map(({ longitude }) => longitude)),
    postcodes: postcodes.map(({ zip, latitude, longitude }) => ({ zip, latitude, longitude })),
  };
}

/** The median, so that one misplaced postcode does not move the town. */
function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
