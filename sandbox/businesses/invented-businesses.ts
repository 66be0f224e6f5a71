import { areaCodes, tollFreeCodes } from '#sandbox/geography/area-codes.ts';
import { type Box, distanceMeters, type Point, pointAt } from '#sandbox/geography/points.ts';
import { type Town, towns } from '#sandbox/geography/towns.ts';
import type { Postcode } from '#sandbox/geography/zipcodes-data.ts';
import { LAST_READABLE_ENDING } from '#sandbox/searchbug/searchbug-verdicts.ts';
import type { Business } from './businesses.ts';
import { familyNames, slugOf, streets, themes } from './invented-words.ts';
import { hashOf, idOf, type Random, seededRandom } from './random.ts';
import { wordsFor } from './trade-words.ts';

/** How far around a town its region goes. */
const regionMeters = 170_000;
/** Businesses lie at most this far from the center of their postcode. */
const spreadMeters = 4_000;
const keptTowns = 4_000;
const made = new Map<string, readonly Business[]>();

/**
 * The invented businesses of a type in a town: always the same for the same words, from anywhere. A town has as
 * many as it has postcodes, and a large one more of them in each.
 */
function businessesOf(category: string, town: Town): readonly Business[] {
  const seed = `${category.trim().toLowerCase().replace(/\s+/g, ' ')}|${town.name}|${town.state}`;
  const known = made.get(seed);
  if (known) return known;
  const businesses = invent(seed, category, town);
  const [oldest] = made.keys();
  if (made.size >= keptTowns && oldest !== undefined) made.delete(oldest);
  made.set(seed, businesses);
  return businesses;
}

/** Those of all towns that reach into a box, in no order. Of very many towns, the largest: they hold more than anyone is shown. */
export function businessesWithin(category: string, box: Box): Business[] {
  return towns()
    .reachingInto(box, spreadMeters)
    .flatMap((town) => businessesOf(category, town));
}

/** Those around a town, near and well known first, but not strictly by distance. */
export function inventedBusinesses(category: string, town: Town): readonly Business[] {
  const north = pointAt(town, regionMeters, 0).latitude;
  const east = pointAt(town, regionMeters, Math.PI / 2).longitude;
  const box = {
    low: { latitude: 2 * town.latitude - north, longitude: 2 * town.longitude - east },
    high: { latitude: north, longitude: east },
  };
  return byRelevance(businessesWithin(category, box), town);
}

/** Near and well known first. How well known a business is does not change with the place from which it is looked for. */
export const byRelevance = (businesses: readonly Business[], from: Point): Business[] =>
  businesses
    .map((business) => ({
      business,
      rank: (distanceMeters(from, business) + 3000) * (0.5 + hashOf(business.id) / 2 ** 32),
    }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ business }) => business);

function invent(seed: string, category: string, town: Town): readonly Business[] {
  const random = seededRandom(seed);
  const nameOf = createNames(random, wordsFor(category));
  const phoneOf = createPhones(random);
  const siteOf = createSites(random);
  const type = slugWords(category);
  const each = 3 + Math.min(20, Math.floor(town.postcodes.length / 3));
  return town.postcodes.flatMap((postcode) =>
    Array.from({ length: random.below(each) + Math.ceil(each / 2) }, (_, index): Business => {
      const name = nameOf(town);
      const website = siteOf(name);
      return {
        id: `sandbox-${idOf(`${seed}|${postcode.zip}|${index}`)}`,
        name,
        types: [type, 'point_of_interest', 'establishment'],
        street: `${1 + random.below(9800)} ${random.pick(streets)}`,
        city: town.name,
        region: `${town.state} ${postcode.zip}`,
        country: 'USA',
        ...scatter(random, postcode),
        ...phoneOf(town),
        ...(website === undefined ? {} : { website }),
        status: random.chance(0.05) ? 'CLOSED_PERMANENTLY' : random.chance(0.02) ? 'CLOSED_TEMPORARILY' : 'OPERATIONAL',
        serviceArea: random.chance(0.1),
        ...(random.chance(0.9) ? { rating: 3 + random.below(21) / 10, ratings: 1 + random.below(400) } : {}),
      };
    }),
  );
}

/** A point near the center of a postcode, more often close to it. */
const scatter = (random: Random, center: Postcode): Point =>
  rounded(pointAt(center, spreadMeters * 0.99 * random.next(), random.next() * 2 * Math.PI));

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

/** Numbers of the reserved range, from 555-0100, most with the area code of the town: some missing, some toll-free, some shared. */
function createPhones(random: Random): (town: Town) => Pick<Business, 'nationalPhone' | 'internationalPhone'> {
  let previous: string | undefined;
  const numberIn = (code: string): string => `${code}55501${String(random.below(ENDINGS)).padStart(2, '0')}`;
  return (town) => {
    const luck = random.next();
    if (luck < 0.08) return {};
    const codes = areaCodes(town);
    const [own = random.pick(tollFreeCodes)] = codes;
    const code = luck < 0.18 ? random.pick(tollFreeCodes) : luck < 0.75 ? own : random.pick(codes);
    const digits = luck < 0.12 && previous !== undefined ? previous : numberIn(code);
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
