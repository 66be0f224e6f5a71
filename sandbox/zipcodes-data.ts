import { createRequire } from 'node:module';

/** One US postcode. */
export type Postcode = { zip: string; latitude: number; longitude: number; city: string; state: string };

type RawCode = Postcode & { country: string };

const military = new Set(['AA', 'AE', 'AP']);

/**
 * The US postcodes of the package `zipcodes`. Its data is required and dropped from the module cache again, because the
 * five megabytes of source would otherwise stay in memory beside what we build from it.
 */
export function loadPostcodes(): { postcodes: Postcode[]; stateNames: ReadonlyMap<string, string> } {
  const require = createRequire(import.meta.url);
  const { codes }: { codes: Record<string, RawCode> } = require('zipcodes/lib/codes');
  const { abbr }: { abbr: Record<string, string> } = require('zipcodes/lib/states');
  delete require.cache[require.resolve('zipcodes/lib/codes')];

  const postcodes = Object.values(codes).filter(
    ({ city, state, country, latitude, longitude }) =>
      country === 'US' && !military.has(state) && !/\d/.test(city) && latitude !== 0 && longitude !== 0,
  );
  return { postcodes, stateNames: new Map(Object.entries(abbr)) };
}
