import tzLookup from '@photostructure/tz-lookup';
import { zipCenter } from '#area/named/zip-codes.ts';
import { stateOfAreaCode } from './area-codes.ts';
import { STATE_ZONES } from './state-zones.ts';

/** What is known of where a number is answered. `state` has two letters. */
export type Whereabouts = {
  phone: string;
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

/** Finds out where a number may be answered; undefined without an address. The area code alone never decides. */
export function placeOf(known: Whereabouts): Place | undefined {
  const read = readAddress(known.address ?? '');
  const zip = (known.postalCode ?? read.postalCode)?.slice(0, 5);
  const center = zip === undefined ? undefined : zipCenter(zip);
  const named = [...new Set([known.state?.toUpperCase(), read.state, center?.state].filter(isState))];
  if (named.length === 0) return undefined;
  const numberState = stateOfAreaCode(known.phone);
  const isElsewhere = numberState !== undefined && !named.includes(numberState);
  const zones = named.length === 1 ? zonesWithin(named[0] ?? '', known.coordinates ?? center) : named.flatMap(zonesOf);
  return {
    states: isElsewhere ? [...named, numberState] : named,
    zones: [...new Set([...zones, ...(isElsewhere ? zonesOf(numberState) : [])])],
    ...(isElsewhere ? { numberState } : {}),
    ...(named.length > 1 ? { conflict: `The address names ${named.join(' and ')}.` } : {}),
  };
}

/** The zone of a point, if it is one of the state's: near a border, or with a wrong point, it is not. Else all of the state. */
function zonesWithin(state: string, point: { latitude: number; longitude: number } | undefined): readonly string[] {
  const zones = zonesOf(state);
  if (zones.length === 1 || !point) return zones;
  const zone = tzLookup(point.latitude, point.longitude);
  return zones.includes(zone) ? [zone] : zones;
}

const zonesOf = (state: string): readonly string[] => STATE_ZONES[state] ?? [];
const isState = (text: string | undefined): text is string => text !== undefined && STATE_ZONES[text] !== undefined;

/** The last "IL 62701" or ", IL" of an address. */
function readAddress(address: string): { state?: string; postalCode?: string } {
  const [, state, postalCode] = [...address.matchAll(/\b([A-Z]{2})\s+(\d{5})(?:-\d{4})?\b/g)].at(-1) ?? [];
  if (state && postalCode) return { state, postalCode };
  const alone = [...address.matchAll(/,\s*([A-Z]{2})\s*(?=,|$)/g)].at(-1)?.[1];
  return alone ? { state: alone } : {};
}
