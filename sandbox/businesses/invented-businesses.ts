import { areaCodes, tollFreeCodes } from '#sandbox/geography/area-codes.ts';
import { distanceMetres, type Point, pointAt } from '#sandbox/geography/points.ts';
import { type Town, towns } from '#sandbox/geography/towns.ts';
import { LAST_READABLE_ENDING } from '#sandbox/searchbug/searchbug-verdicts.ts';
import type { Business } from './businesses.ts';
import { familyNames, slugOf, streets, themes } from './invented-words.ts';
import { idOf, type Random, seededRandom } from './random.ts';
import { wordsFor } from './trade-words.ts';

const worldMetres = 170_000;
const keptWorlds = 50;
const worlds = new Map<string, readonly Business[]>();

/**
 * The invented businesses of a type in and around a town, most relevant first: always the same for the same words. They
 * thin out with the distance, so a small radius finds fewer.
 */
export function inventedBusinesses(category: string, town: Town): readonly Business[] {
  const seed = `${category.trim().toLowerCase().replace(/\s+/g, ' ')}|${town.name}|${town.state}`;
  const known = worlds.get(seed);
  if (known) return known;
  const made = invent(seed, category, town);
  const [oldest] = worlds.keys();
  if (worlds.size >= keptWorlds && oldest !== undefined) worlds.delete(oldest);
  worlds.set(seed, made);
  return made;
}

function invent(seed: string, category: string, town: Town): readonly Business[] {
  const random = seededRandom(seed);
  const nameOf = createNames(random, wordsFor(category));
  const phoneOf = createPhones(random);
  const siteOf = createSites(random);
  const type = slugWords(category);
  const count = 90 + 4 * Math.min(town.postcodes.length, 40);

  const ranked = Array.from({ length: count }, (_, index) => {
    const spot = scatter(random, town);
    if (!spot) return [];
    const { point, home } = spot;
    const name = nameOf(home);
    const serviceArea = random.chance(0.1);
    const website = siteOf(name);
    const business: Business = {
      id: `sandbox-${idOf(`${seed}|${index}`)}`,
      name,
      types: [type, 'point_of_interest', 'establishment'],
      street: `${1 + random.below(9800)} ${random.pick(streets)}`,
      city: home.name,
      region: `${home.state} ${random.pick(home.postcodes).zip}`,
      country: 'USA',
      ...point,
      ...phoneOf(home),
      ...(website === undefined ? {} : { website }),
      status: random.chance(0.05) ? 'CLOSED_PERMANENTLY' : random.chance(0.02) ? 'CLOSED_TEMPORARILY' : 'OPERATIONAL',
      serviceArea,
      ...(random.chance(0.9) ? { rating: 3 + random.below(21) / 10, ratings: 1 + random.below(400) } : {}),
    };
    // Near and well known first, but not strictly by distance.
    return [{ business, rank: (distanceMetres(town, point) + 3000) * (0.5 + random.next()) }];
  });
  return ranked
    .flat()
    .sort((a, b) => a.rank - b.rank)
    .map(({ business }) => business);
}

/**
 * A point around the town and the town whose address it has. Points far out move to the nearest town, so that none lies in
 * the sea; undefined where there is none, so wild country stays empty.
 */
function scatter(random: Random, town: Town): { point: Point; home: Town } | undefined {
  const metres = worldMetres * random.next() ** (4 / 3);
  const target = pointAt(town, metres, random.next() * 2 * Math.PI);
  if (metres < 6_000) return { point: rounded(target), home: town };
  const home = towns().nearest(target, 25_000);
  if (!home || (home === town && metres > 15_000)) return undefined;
  const point = home === town ? target : pointAt(home, random.next() * 2_500, random.next() * 2 * Math.PI);
  return { point: rounded(point), home };
}

const rounded = ({ latitude, longitude }: Point): Point => ({
  latitude: Math.round(latitude * 1e6) / 1e6,
  longitude: Math.round(longitude * 1e6) / 1e6,
});

/** Names without repetition, as far as the words reach. */
function createNames(random: Random, trade: readonly string[]): (town: Town) => string {
  const used = new Set<string>();
  const compose = (town: Town) => {
    const word = random.pick(trade);
    switch (random.below(6)) {
      case 0:
        return `${random.pick(familyNames)} & Sons ${word}`;
      case 1:
        return `${town.name} ${word}`;
      case 2:
      case 3:
        return `${random.pick(themes)} ${word}`;
      default:
        return `${random.pick(familyNames)} ${word}`;
    }
  };
  return (town) => {
    let name = compose(town);
    for (let tries = 0; used.has(name) && tries < 5; tries += 1) name = compose(town);
    if (used.has(name)) name = `${name} of ${town.name}`;
    used.add(name);
    return name;
  };
}

/** How many numbers 555-01xx each area code has for businesses. */
const ENDINGS = LAST_READABLE_ENDING + 1;

/** Numbers of the reserved range, from 555-0100: some missing, some toll-free, some shared by two businesses. */
function createPhones(random: Random): (town: Town) => Pick<Business, 'nationalPhone' | 'internationalPhone'> {
  const used = new Set<string>();
  let previous: string | undefined;
  const free = (codes: readonly string[]): string | undefined => {
    const start = random.below(ENDINGS);
    for (const code of codes) {
      for (let step = 0; step < ENDINGS; step += 1) {
        const digits = `${code}55501${String((start + step) % ENDINGS).padStart(2, '0')}`;
        if (!used.has(digits)) return digits;
      }
    }
    return undefined;
  };
  return (town) => {
    const luck = random.next();
    if (luck < 0.08) return {};
    const digits =
      luck < 0.12 && previous !== undefined
        ? previous
        : free(luck < 0.18 ? [random.pick(tollFreeCodes)] : [...areaCodes(town), ...tollFreeCodes]);
    if (digits === undefined) return {};
    used.add(digits);
    previous = digits;
    const [area, line] = [digits.slice(0, 3), digits.slice(6)];
    return { nationalPhone: `(${area}) 555-${line}`, internationalPhone: `+1 ${area}-555-${line}` };
  };
}

/** Sites under the reserved ending `.example`; some businesses have only a page at a shared host, some share a site. */
function createSites(random: Random): (name: string) => string | undefined {
  let previous: string | undefined;
  return (name) => {
    const slug = slugOf(name);
    const luck = random.next();
    if (luck < 0.16) return undefined;
    if (luck < 0.22) return `https://www.facebook.com/${slug}`;
    if (luck < 0.25) return `https://www.instagram.com/${slug}/`;
    if (luck < 0.28) return `https://${slug}.wixsite.com/home`;
    if (luck < 0.3) return `https://linktr.ee/${slug}`;
    if (luck < 0.33 && previous !== undefined) return `${previous}locations/${slug}`;
    previous = luck < 0.4 ? `http://${slug}.example/` : `https://www.${slug}.example/`;
    return luck > 0.9 ? `${previous}?utm_source=google&utm_medium=maps` : previous;
  };
}

const slugWords = (category: string) =>
  category
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '') || 'store';
