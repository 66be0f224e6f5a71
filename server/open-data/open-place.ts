import { openEmail, openPhone, openWebsite } from './open-contacts.ts';
import { termsOf } from './terms.ts';

/** A place as a file has it, in our words. Dates as year-month-day, confidence from 0 to 1. */
export type OpenPlace = {
  sourceId: string;
  license: string;
  name: string;
  categories: string[];
  phone: string | undefined;
  website: string | undefined;
  email: string | undefined;
  address: string | undefined;
  /** Two letters of a state, where the file says it. */
  region: string | undefined;
  latitude: number;
  longitude: number;
  confidence: number | undefined;
  closed: boolean;
  closedOn: string | undefined;
  terms: string[];
};

/** What a reader found of a place; texts are cleaned here, and contacts that are none left out. */
export type RawPlace = {
  id: unknown;
  license: string;
  name: unknown;
  categories: readonly unknown[];
  phone?: unknown;
  website?: unknown;
  email?: unknown;
  address?: { street?: unknown; city?: unknown; region?: unknown; postcode?: unknown };
  latitude: unknown;
  longitude: unknown;
  confidence?: unknown;
  closed?: boolean;
  closedOn?: unknown;
};

/** Of a license, in characters. */
export const LONGEST_LICENSE = 100;

/** Returns undefined for what has no id, name, license or place on earth. */
export function toOpenPlace(raw: RawPlace): OpenPlace | undefined {
  const [sourceId, name, license] = [textOf(raw.id, 200), textOf(raw.name, 300), textOf(raw.license, LONGEST_LICENSE)];
  const [latitude, longitude] = [numberOf(raw.latitude), numberOf(raw.longitude)];
  if (!sourceId || !name || !license || latitude === undefined || longitude === undefined) return undefined;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  const categories = [...new Set(raw.categories.flatMap((one) => textOf(one, 100) ?? []))].slice(0, 20);
  const confidence = numberOf(raw.confidence);
  const website = openWebsite(textOf(raw.website, 2_000));
  return {
    sourceId,
    license,
    name,
    categories,
    phone: openPhone(textOf(raw.phone, 40)),
    website,
    email: openEmail(textOf(raw.email, 254), website),
    address: addressOf(raw.address ?? {}),
    region: regionOf(raw.address?.region),
    latitude,
    longitude,
    confidence: confidence !== undefined && confidence >= 0 && confidence <= 1 ? confidence : undefined,
    closed: raw.closed ?? false,
    closedOn: dayOf(raw.closedOn),
    terms: termsOf(name, categories),
  };
}

function textOf(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return text && text.length <= most ? text : undefined;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A day that the calendar has; others, such as 0000-00-00, say nothing. */
function dayOf(value: unknown): string | undefined {
  const text = textOf(value, 10);
  if (!text || !/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : undefined;
}

function regionOf(value: unknown): string | undefined {
  const text = textOf(value, 40)?.replace(/^US-/i, '').toUpperCase();
  return text && /^[A-Z]{2}$/.test(text) ? text : undefined;
}

function addressOf({ street, city, region, postcode }: NonNullable<RawPlace['address']>): string | undefined {
  const state = [textOf(region, 40), textOf(postcode, 20)].filter(Boolean).join(' ');
  const line = [textOf(street, 200), textOf(city, 100), state].filter(Boolean).join(', ');
  return line || undefined;
}
