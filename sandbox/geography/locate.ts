import type { Business } from '#sandbox/businesses/businesses.ts';
import { idOf, seededRandom } from '#sandbox/businesses/random.ts';
import { type Point, pointAt } from './points.ts';
import { plainName, towns } from './towns.ts';

/** A location as Google would know it: never a business. */
export type Location = Point & { id: string; name: string; address: string; types: readonly string[] };

/** What a typed text means: a town, postcode, state or street address of the US, or a town of the CSV; undefined if nothing. */
export function locate(text: string, csv: readonly Business[]): Location | undefined {
  return inCsv(text, csv) ?? inUnitedStates(text);
}

function inCsv(text: string, csv: readonly Business[]): Location | undefined {
  const [first = '', ...rest] = text.split(',').map(plainName).filter(Boolean);
  const named = (business: Business) =>
    plainName(business.city) === first &&
    rest.every((part) => part === plainName(business.country) || part === plainName(business.region ?? ''));
  const inTown = csv.filter(named);
  const [example] = inTown;
  if (example) return meanOf(inTown, example.city, `${example.city}, ${example.country}`, ['locality', 'political']);
  const inCountry = rest.length === 0 ? csv.filter((business) => plainName(business.country) === first) : [];
  const [any] = inCountry;
  return any && meanOf(inCountry, any.country, any.country, ['country', 'political']);
}

function inUnitedStates(text: string): Location | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  if (/^(usa|us|u\.s\.a?\.?|united states)$/i.test(parts.at(-1) ?? '')) parts.pop();
  const zip = /(?:^|\s)(\d{5})(?:-\d{4})?$/.exec(parts.at(-1) ?? '')?.[1];
  const postcode = zip === undefined ? undefined : towns().byPostcode(zip);
  if (zip !== undefined && !postcode) return undefined;

  const address = parts.length > 1 && /^\d+\s+\S/.test(parts[0] ?? '') ? parts.shift() : undefined;
  if (postcode) {
    const { town } = postcode;
    const formatted = `${town.name}, ${town.state} ${zip}, USA`;
    if (address) return street(address, postcode.postcode, formatted);
    return location(postcode.postcode, town.name, formatted, ['postal_code']);
  }
  const { name, state } = splitState(parts);
  const town = name && towns().byName(name, state);
  if (town) {
    const formatted = `${town.name}, ${town.state}, USA`;
    return address ? street(address, town, formatted) : location(town, town.name, formatted, ['locality', 'political']);
  }
  return name || address ? undefined : wholeState(state);
}

/** "Springfield, IL", "springfield illinois" and "Springfield" in town and state; a state alone has no name. */
function splitState(parts: readonly string[]): { name?: string; state?: string | undefined } {
  if (parts.length > 2 || parts.length === 0) return { name: parts.join(', ') };
  const [first = '', second] = parts;
  if (second !== undefined) {
    const state = towns().stateCode(second);
    return state ? { name: first, state } : { name: parts.join(', ') };
  }
  const words = first.split(/\s+/);
  // A state's own name means the state, but "New York" and "Washington" are towns first, as everyone reads them.
  const whole = towns().stateCode(first);
  if (whole && first.length > 2 && !towns().byName(first, whole) && plainName(first) !== 'washington')
    return { state: whole };
  if (towns().byName(first)) return { name: first };
  for (const length of [1, 2, 3]) {
    const state = words.length > length ? towns().stateCode(words.slice(-length).join(' ')) : undefined;
    const name = words.slice(0, -length).join(' ');
    if (state && towns().byName(name, state)) return { name, state };
  }
  return whole ? { state: whole } : { name: first };
}

function wholeState(state: string | undefined): Location | undefined {
  const all = state === undefined ? [] : towns().inState(state);
  if (state === undefined || all.length === 0) return undefined;
  const name = (towns().stateName(state) ?? state).toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return meanOf(all, name, `${name}, USA`, ['administrative_area_level_1', 'political']);
}

function street(address: string, near: Point, town: string): Location {
  const random = seededRandom(`${address}|${town}`.toLowerCase());
  const point = pointAt(near, random.next() * 1_500, random.next() * 2 * Math.PI);
  return location(point, address, `${address}, ${town}`, ['street_address']);
}

function meanOf(points: readonly Point[], name: string, address: string, types: readonly string[]): Location {
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  return location(
    { latitude: mean((point) => point.latitude), longitude: mean((point) => point.longitude) },
    name,
    address,
    types,
  );
}

const location = (
  { latitude, longitude }: Point,
  name: string,
  address: string,
  types: readonly string[],
): Location => ({
  id: `sandbox-${idOf(`location|${address}`)}`,
  name,
  address,
  types,
  latitude: Math.round(latitude * 1e6) / 1e6,
  longitude: Math.round(longitude * 1e6) / 1e6,
});
