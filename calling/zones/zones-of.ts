import { zipCenter } from '#area/named/zip-codes.ts';
import { stateOfAreaCode } from './area-codes.ts';
import { readAddress } from './read-address.ts';
import { type NearZip, type Point, squareOf, zipsAround, zonesAround } from './spot.ts';
import { STATE_ZONES } from './state-zones.ts';
import { zonesOfZip } from './zip-zones.ts';

/** What is known of where a number is answered. `state` has two letters. */
export type Whereabouts = {
  /** As E.164. */
  phone: string | undefined;
  address?: string | undefined;
  state?: string | undefined;
  postalCode?: string | undefined;
  coordinates?: Point | undefined;
};

/**
 * Where a number may be answered.
 * - `states`: whose laws may apply. `zones`: which clocks may be meant; calls must be allowed by all of them.
 * - `numberState`: the state of the area code, where it is another one.
 * - `conflict`: two sources name different states or clocks, in words.
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
  const numberState = stateOfAreaCode(phone) ?? '';
  const spot = coordinates && squareOf(coordinates);
  const key =
    state !== undefined || postalCode !== undefined || read.others
      ? JSON.stringify([state, postalCode, read, numberState, spot])
      : // Most leads have no more, and none of this can hold a space.
        `${read.state ?? ''} ${read.postalCode ?? ''} ${numberState} ${spot ? `${spot.latitude} ${spot.longitude}` : ''}`;
  const found = places.get(key);
  if (found || places.has(key)) return found;
  if (places.size >= MOST_PLACES) forgetPlaces();
  const facts: Facts = {
    stated: state?.toUpperCase() ?? '',
    written: [read.state, ...(read.otherStates ?? [])].filter(isState),
    zips: [...new Set([postalCode, read.postalCode, ...(read.others ?? [])].flatMap((zip) => zip?.slice(0, 5) ?? []))],
    numberState,
  };
  const place = shared(readPlace(facts, spot));
  places.set(key, place);
  return place;
}

/** Places of which the same is known are one object: what is judged of one counts for all. */
const known = new Map<string, Place>();
function shared(place: Place | undefined): Place | undefined {
  if (!place) return undefined;
  const content = JSON.stringify(place);
  const same = known.get(content) ?? place;
  known.set(content, same);
  return same;
}

function forgetPlaces(): void {
  places.clear();
  known.clear();
}

/** What is said of a place: two letters of each state, empty where nothing is said, and ZIP codes. */
type Facts = { stated: string; written: readonly string[]; zips: readonly string[]; numberState: string };

function readPlace({ stated, written, zips, numberState }: Facts, at: Point | undefined): Place | undefined {
  const named = [...new Set([stated, ...written, ...zips.map((zip) => zipCenter(zip)?.state)].filter(isState))];
  const [only = '', ...others] = named;
  if (only === '') return undefined;
  const spot = at && readSpot(at);
  const beyond = spot && beyondStates(named, spot);
  const states = [...named, ...(beyond?.states ?? [])];
  const isElsewhere = numberState !== '' && !states.includes(numberState);
  const zones = [
    ...(others.length === 0 ? zonesWithin(only, zips, spot) : named.flatMap(zonesOf)),
    ...(beyond?.zones ?? []),
    ...(isElsewhere ? zonesOf(numberState) : []),
  ];
  const abroad = zips.find(isAbroad);
  const conflicts = [
    ...(abroad ? [`The ZIP code ${abroad} is not in a state whose clocks are known.`] : []),
    ...(others.length > 0 ? [`The address names ${named.join(' and ')}.`] : []),
    ...(beyond?.where ? [`The address names ${named.join(' and ')}, and the coordinates lie in ${beyond.where}.`] : []),
  ];
  return {
    states: isElsewhere ? [...states, numberState] : states,
    zones: [...new Set(zones)],
    ...(isElsewhere ? { numberState } : {}),
    ...(conflicts.length > 0 ? { conflict: conflicts.join(' ') } : {}),
  };
}

/** What lies around a spot. */
type Spot = { zones: string[]; zips: NearZip[] };

/** Undefined for what is no spot on land. */
function readSpot(at: Point): Spot | undefined {
  const zones = zonesAround(at);
  return zones.length > 0 ? { zones, zips: zipsAround(at) } : undefined;
}

/** A state is beside a spot while its nearest ZIP code is at most so many degrees farther than that of any state: about 25 kilometers. */
const BESIDE = 0.25;

/**
 * What a spot adds to the states that an address names. Beside one of them, the clocks of the other count as well: middles of ZIP codes say
 * only about where a border runs.
 * - `where`: where it lies, in words, if that is not where the address says.
 */
function beyondStates(
  named: readonly string[],
  { zones, zips }: Spot,
): { states: string[]; zones: string[]; where?: string } | undefined {
  const [nearest] = zips;
  if (!nearest) {
    // At sea, in the wilderness or abroad the clocks alone tell.
    const hasTheirTime = zones.some((zone) => named.some((state) => zonesOf(state).includes(zone)));
    return hasTheirTime ? undefined : { states: [], zones, where: `the time zone ${zones.join(' or ')}` };
  }
  const { state, away } = nearest;
  if (named.includes(state)) return undefined;
  const ofState = zonesOf(state);
  const there = ofState.length === 1 ? ofState : ofState.filter((zone) => zones.includes(zone));
  const isBeside = zips.some((one) => named.includes(one.state) && one.away - away <= BESIDE);
  const added = there.length > 0 ? [...there] : [...ofState];
  return isBeside ? { states: [], zones: added } : { states: [state], zones: added, where: state };
}

const NAVAJO_ZONE = 'America/Denver';

/**
 * The zones of the state that a place may lie in: those of its ZIP codes and those around its spot. Without any, all of the state.
 * Roads and lands of the Navajo Nation are interlaced with the rest of Arizona, so its time never counts alone there.
 */
function zonesWithin(state: string, zips: readonly string[], spot: Spot | undefined): readonly string[] {
  const zones = zonesOf(state);
  if (zones.length === 1) return zones;
  const ofZips = zips.map((zip) => (zipCenter(zip) ? zonesOfZip(state, zip) : undefined));
  // One that is not known may lie anywhere.
  const ofAll = ofZips.includes(undefined) ? [] : ofZips.flatMap((some) => some ?? []);
  const found = new Set([...ofAll, ...(spot ? zonesAt(state, spot) : [])]);
  if (state === 'AZ' && found.has(NAVAJO_ZONE)) return zones;
  return found.size === 0 ? zones : zones.filter((zone) => found.has(zone));
}

/** The zones of a state around a spot, and those of its nearest ZIP code. None where the spot lies outside of the state. */
function zonesAt(state: string, { zones, zips }: Spot): readonly string[] {
  const ofState = zonesOf(state);
  if (!zones.some((zone) => ofState.includes(zone))) return [];
  const near = zonesOfZip(state, zips.find((one) => one.state === state)?.zip ?? '');
  return near ? [...zones, ...near] : ofState;
}

/** Whether a ZIP code is that of the armed forces abroad, or of an island nation. */
const isAbroad = (zip: string): boolean => {
  const state = zipCenter(zip)?.state;
  return state !== undefined && !isState(state);
};

const zonesOf = (state: string): readonly string[] => STATE_ZONES[state] ?? [];
const isState = (text: string | undefined): text is string => text !== undefined && STATE_ZONES[text] !== undefined;
