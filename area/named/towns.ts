import { townCenters, zipCenter } from './zip-codes.ts';

/** Where a town or ZIP code of the USA lies, in degrees, and how it is called. */
export type Town = { label: string; latitude: number; longitude: number };

/** Reads "Springfield, IL", "springfield il" or "62701". Undefined for what is none. A town is where the middle of its ZIP codes is. */
export function townOf(text: string): Town | undefined {
  const typed = text.trim().replace(/,?\s*(usa|united states)\.?$/i, '');
  const zip = /^(\d{5})(-\d{4})?$/.exec(typed)?.[1];
  const center = zip === undefined ? undefined : zipCenter(zip);
  if (center && zip)
    return { label: `${zip}, ${center.state}`, latitude: center.latitude, longitude: center.longitude };
  const [, name = '', state = ''] = /^(.+?)[\s,]+([A-Za-z]{2})(?:\s+\d{5})?$/.exec(typed) ?? [];
  const spots = townCenters(name, state);
  const [first] = spots;
  if (!first) return undefined;
  return {
    label: `${first.city}, ${first.state}`,
    latitude: middle(spots.map((spot) => spot.latitude)),
    longitude: middle(spots.map((spot) => spot.longitude)),
  };
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
