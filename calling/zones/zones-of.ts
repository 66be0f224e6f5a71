import tzLookup from '@photostructure/tz-lookup';
import { zipCenter } from '#area/named/zip-codes.ts';
import { stateOfAreaCode } from './area-codes.ts';
import { STATE_ZONES } from './state-zones.ts';

/** What is known of where a number is answered. `state` has two letters. */
export type Whereabouts = {
  /** As E.164. */
  phone: string | undefined;
  address?: string | undefined;
  state?: string | undefined;
  postalCode?: string | undefined;
  coordinates?: { latitude: number; longitude: number } | undefined;
};

/**
 * Where a number may be answered.
 * - `states`: whose laws may apply. `zones`: which clocks may be meant; calls must be allowed by all of them.
 * - `numberState`: the state of the area code, where it is another one.
 * - `conflict`: two sources name different states, in words.
 */
export type Place = { states: string[]; zones: string[]; numberState?: string; conflict?: string };

/** How many places are remembered: leads of a list share most of theirs. */
const MOST_PLACES = 200_000;
const places = new Map<string, Place | undefined>();

/**
 * Finds out where a number may be answered; undefined without a number or an address. The area code alone never decides.
 * Equal facts give the same object.
 */
export function placeOf({ phone, address, state, postalCode, coordinates }: Whereabouts): Place | undefined {
  if (phone === undefined) return undefined;
  const read = readAddress(address ?? '');
  const facts: Facts = {
    stated: state?.toUpperCase() ?? '',
    written: read.state ?? '',
    zip: (postalCode ?? read.postalCode ?? '').slice(0, 5),
    numberState: stateOfAreaCode(phone) ?? '',
  };
  const zone = coordinates && hasSeveralZones(facts) ? zoneAt(coordinates) : '';
  const key = `${facts.stated} ${facts.written} ${facts.zip} ${facts.numberState} ${zone}`;
  if (places.has(key)) return places.get(key);
  if (places.size >= MOST_PLACES) places.clear();
  const place = readPlace(facts, zone);
  places.set(key, place);
  return place;
}

/** What is said of a place: two letters of each state, and a ZIP code; empty where nothing is said. */
type Facts = { stated: string; written: string; zip: string; numberState: string };

const hasSeveralZones = ({ stated, written, zip }: Facts): boolean =>
  zonesOf(stated || written || (zipCenter(zip)?.state ?? '')).length > 1;

/** `zone`: that of its coordinates, where it matters. */
function readPlace({ stated, written, zip, numberState }: Facts, zone: string): Place | undefined {
  const center = zipCenter(zip);
  const named = [...new Set([stated, written, center?.state].filter(isState))];
  const [only = '', ...others] = named;
  if (only === '') return undefined;
  const zones = others.length === 0 ? zonesWithin(only, zone, center) : named.flatMap(zonesOf);
  const isElsewhere = numberState !== '' && !named.includes(numberState);
  return {
    states: isElsewhere ? [...named, numberState] : named,
    zones: [...new Set([...zones, ...(isElsewhere ? zonesOf(numberState) : [])])],
    ...(isElsewhere ? { numberState } : {}),
    ...(named.length > 1 ? { conflict: `The address names ${named.join(' and ')}.` } : {}),
  };
}

type Point = { latitude: number; longitude: number };
/** How far from the middle of a ZIP code its addresses are looked for, in degrees: about ten kilometers. */
const REACH = 0.1;
const AROUND = [-1, 0, 1].flatMap((north) => [-1, 0, 1].map((east) => [north * REACH, east * REACH] as const));

const zoneAt = ({ latitude, longitude }: Point): string => tzLookup(latitude, longitude);

/**
 * The zones of the state that a place may lie in.
 * - A point has one, the middle of a ZIP code those that lie around it. A point of another state counts for nothing.
 * - Without any, all zones of the state.
 */
function zonesWithin(state: string, exact: string, center: Point | undefined): readonly string[] {
  const zones = zonesOf(state);
  if (zones.length === 1) return zones;
  if (zones.includes(exact)) return [exact];
  if (!center || !zones.includes(zoneAt(center))) return zones;
  const around = new Set(
    AROUND.map(([north, east]) => zoneAt({ latitude: center.latitude + north, longitude: center.longitude + east })),
  );
  return zones.filter((zone) => around.has(zone));
}

const zonesOf = (state: string): readonly string[] => STATE_ZONES[state] ?? [];
const isState = (text: string | undefined): text is string => text !== undefined && STATE_ZONES[text] !== undefined;

const AT_END = /\b([A-Z]{2})\s+(\d{5})(?:-\d{4})?(?:,? (?:USA|United States))?$/;

/** How much of an address its end is looked for in. */
const TAIL = 40;

/** The last "IL 62701" or ", IL" of an address. */
function readAddress(address: string): { state?: string; postalCode?: string } {
  const [, state, postalCode] =
    AT_END.exec(address.slice(-TAIL)) ?? [...address.matchAll(/\b([A-Z]{2})\s+(\d{5})(?:-\d{4})?\b/g)].at(-1) ?? [];
  if (state && postalCode) return { state, postalCode };
  const alone = [...address.matchAll(/,\s*([A-Z]{2})\s*(?=,|$)/g)].at(-1)?.[1];
  return alone ? { state: alone } : {};
}
