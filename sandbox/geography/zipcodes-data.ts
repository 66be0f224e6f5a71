import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A US postcode, or the part of one that a town needs. */
export type Postcode = { zip: string; latitude: number; longitude: number };
export type PostcodeOfTown = Postcode & { city: string; state: string };

const entry =
  /"zip":"(\d{5})","latitude":(-?[\d.]+),"longitude":(-?[\d.]+),"city":"([^"]+)","state":"([A-Z]{2})","country":"US"/g;
const military = new Set(['AA', 'AE', 'AP']);
/** Large firms and offices have postcodes of their own, which stand among the towns under the firm's name. */
const organization =
  /\d| (inc|corp|co|comp|firms?|zip|svc|service|ctr|brm|bmc|dept|assoc|ins|insurance|lottery|bureau|telephone|electric|edison|survey|office|lending|holdouts)\b|\b(natl|nat|univ|bkcard|return|shared|visa) |(national|union|one|us|merchants|amsouth|fargo|centerre) bank|^bank of|^state (farm|board)/i;

/**
 * The US postcodes of the package `zipcodes`, read from its data file as text: to evaluate its five megabytes as code costs
 * over a hundred megabytes of memory.
 */
export function loadPostcodes(): PostcodeOfTown[] {
  const text = readFileSync(createRequire(import.meta.url).resolve('zipcodes/lib/codes'), 'utf8');
  const postcodes: PostcodeOfTown[] = [];
  for (const [, zip = '', latitude, longitude, city = '', state = ''] of text.matchAll(entry)) {
    if (military.has(state) || organization.test(city)) continue;
    // Number of zero: a postcode without a place.
    if (Number(latitude) === 0 || Number(longitude) === 0) continue;
    postcodes.push({ zip, latitude: Number(latitude), longitude: Number(longitude), city, state });
  }
  if (postcodes.length === 0)
    throw new Error('The data file of the package zipcodes has a form that is not known here.');
  return postcodes;
}

/** Names of the states by their codes: "IL" → "ILLINOIS". */
export function loadStateNames(): ReadonlyMap<string, string> {
  const { abbr }: { abbr: Record<string, string> } = createRequire(import.meta.url)('zipcodes/lib/states');
  return new Map(Object.entries(abbr));
}
