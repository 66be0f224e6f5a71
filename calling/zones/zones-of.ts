import tzLookup from '@photostructure/tz-lookup';
import { zipCenter, zipCenters } from '#area/named/zip-codes.ts';
import { stateOfAreaCode } from './area-codes.ts';
import { readAddress } from './read-address.ts';
import { STATE_ZONES } from './state-zones.ts';
import { zonesOfZip } from './zip-zones.ts';

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
  const spot = coordinates && hasSeveralZones(facts) ? squareOf(coordinates) : undefined;
  const at = spot ? `${spot.latitude} ${spot.longitude}` : '';
  const key = `${facts.stated} ${facts.written} ${facts.zip} ${facts.numberState} ${at}`;
  if (places.has(key)) return places.get(key);
  if (places.size >= MOST_PLACES) places.clear();
  const place = readPlace(facts, spot);
  places.set(key, place);
  return place;
}

/** What is said of a place: two letters of each state, and a ZIP code; empty where nothing is said. */
type Facts = { stated: string; written: string; zip: string; numberState: string };

const hasSeveralZones = ({ stated, written, zip }: Facts): boolean =>
  zonesOf(stated || written || (zipCenter(zip)?.state ?? '')).length > 1;

/** `spot`: where it lies, as far as that matters. */
function readPlace({ stated, written, zip, numberState }: Facts, spot: Point | undefined): Place | undefined {
  const named = [...new Set([stated, written, zipCenter(zip)?.state].filter(isState))];
  const [only = '', ...others] = named;
  if (only === '') return undefined;
  const zones = others.length === 0 ? zonesWithin(only, zip, spot) : named.flatMap(zonesOf);
  const isElsewhere = numberState !== '' && !named.includes(numberState);
  return {
    states: isElsewhere ? [...named, numberState] : named,
    zones: [...new Set([...zones, ...(isElsewhere ? zonesOf(numberState) : [])])],
    ...(isElsewhere ? { numberState } : {}),
    ...(named.length > 1 ? { conflict: `The address names ${named.join(' and ')}.` } : {}),
  };
}

type Point = { latitude: number; longitude: number };
/** Places are told apart to so many degrees, about five kilometers: leads of a town share what is found out. */
const SQUARE = 0.05;
const squareOf = ({ latitude, longitude }: Point): Point => ({
  latitude: Math.round(latitude / SQUARE) * SQUARE,
  longitude: Math.round(longitude / SQUARE) * SQUARE,
});

const NAVAJO_ZONE = 'America/Denver';

/**
 * The zones of the state that a place may lie in: those of its ZIP code and those around its spot. Without any, all of the state.
 * Roads and lands of the Navajo Nation are interlaced with the rest of Arizona, so its time never counts alone there.
 */
function zonesWithin(state: string, zip: string, spot: Point | undefined): readonly string[] {
  const zones = zonesOf(state);
  if (zones.length === 1) return zones;
  const ofZip = zipCenter(zip) ? zonesOfZip(state, zip) : undefined;
  const found = new Set([...(ofZip ?? []), ...(spot ? zonesAround(state, spot) : [])]);
  if (state === 'AZ' && found.has(NAVAJO_ZONE)) return zones;
  return found.size === 0 ? zones : zones.filter((zone) => found.has(zone));
}

/** How far around a spot zones count, in degrees: about ten kilometers. The boundaries that are looked up are coarse. */
const REACH = 0.1;
const AROUND = [-1, 0, 1].flatMap((north) => [-1, 0, 1].map((east) => [north * REACH, east * REACH] as const));

/** The zones of a state around a spot: those of its nearest ZIP code as well. None where the spot lies outside of the state. */
function zonesAround(state: string, { latitude, longitude }: Point): readonly string[] {
  if (Math.abs(latitude) > 89 || Math.abs(longitude) > 179) return [];
  const zones = zonesOf(state);
  if (!zones.includes(tzLookup(latitude, longitude))) return [];
  const around = AROUND.map(([north, east]) => tzLookup(latitude + north, longitude + east));
  const near = zonesOfZip(state, nearestZip(state, { latitude, longitude }));
  return near ? [...around, ...near] : zones;
}

/** The ZIP code of a state with the nearest middle; empty where none is within half a degree. */
function nearestZip(state: string, { latitude, longitude }: Point): string {
  const narrow = Math.cos((latitude * Math.PI) / 180);
  let nearest = { zip: '', away: 0.5 };
  for (const [zip, center] of zipsOfState(state)) {
    const away = Math.hypot(center.latitude - latitude, (center.longitude - longitude) * narrow);
    if (away < nearest.away) nearest = { zip, away };
  }
  return nearest.zip;
}

let byState: ReadonlyMap<string, readonly (readonly [string, Point])[]> | undefined;
function zipsOfState(state: string): readonly (readonly [string, Point])[] {
  byState ??= Map.groupBy(zipCenters(), ([, center]) => center.state);
  return byState.get(state) ?? [];
}

const zonesOf = (state: string): readonly string[] => STATE_ZONES[state] ?? [];
const isState = (text: string | undefined): text is string => text !== undefined && STATE_ZONES[text] !== undefined;
