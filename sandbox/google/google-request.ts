import { hashOf } from '#sandbox/businesses/random.ts';
import type { Box, Point } from '#sandbox/geography/points.ts';

/** A request to `places:searchText` after all of Google's checks. */
export type GoogleSearch = {
  textQuery: string;
  pageSize: number;
  /** How many results were on the pages before. */
  offset: number;
  restriction?: Box;
  serviceAreas: boolean;
  /** The same for every page of one search. */
  fingerprint: string;
  /** Drawn at its first page: what is left out of one answer is left out of all its pages. */
  draw: number;
};

const pagingFields = new Set(['pageToken', 'pageSize', 'maxResultCount']);
const knownFields = new Set([
  ...pagingFields,
  'textQuery',
  'languageCode',
  'regionCode',
  'rankPreference',
  'includedType',
  'openNow',
  'minRating',
  'priceLevels',
  'strictTypeFiltering',
  'locationBias',
  'locationRestriction',
  'evOptions',
  'routingParameters',
  'includePureServiceAreaBusinesses',
  'includeFutureOpeningBusinesses',
]);

/** Reads a request body; a text in place of a search is the reason why Google refuses it. `draw`: for its first page. */
export function parseSearch(text: string, draw: number): GoogleSearch | string {
  const body = parseObject(text);
  if (!body) return 'Invalid JSON payload received.';
  const unknown = Object.keys(body).find((name) => !knownFields.has(name));
  if (unknown !== undefined) return `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`;

  const { textQuery, pageSize = 0, pageToken = '', languageCode = 'en' } = body;
  if (typeof textQuery !== 'string' || textQuery.trim() === '') return 'Empty text_query.';
  if (typeof pageSize !== 'number' || !Number.isInteger(pageSize) || pageSize < 0)
    return 'page_size must be zero or more.';
  if (typeof languageCode !== 'string' || !/^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(languageCode))
    return 'Invalid language_code.';
  if (body.locationBias !== undefined && body.locationRestriction !== undefined) {
    return 'location_bias and location_restriction cannot be set together.';
  }
  const restriction = parseRestriction(body.locationRestriction);
  if (typeof restriction === 'string') return restriction;

  const fingerprint = fingerprintOf(body);
  const page = pageToken === '' ? { offset: 0, draw } : pageOf(pageToken, fingerprint);
  if (!page) return 'Request parameters for paging requests must match the initial SearchText request.';
  return {
    textQuery: textQuery.trim(),
    pageSize: pageSize === 0 ? 20 : Math.min(pageSize, 20),
    ...page,
    ...(restriction ? { restriction } : {}),
    serviceAreas: body.includePureServiceAreaBusinesses === true,
    fingerprint,
  };
}

/** The token that continues a search behind `offset` results. */
export const pageToken = (offset: number, { fingerprint, draw }: GoogleSearch): string =>
  Buffer.from(JSON.stringify({ offset, fingerprint, draw })).toString('base64url');

function pageOf(token: unknown, fingerprint: string): Pick<GoogleSearch, 'offset' | 'draw'> | undefined {
  if (typeof token !== 'string') return undefined;
  const { offset, draw, ...content } = parseObject(Buffer.from(token, 'base64url').toString('utf8')) ?? {};
  if (content.fingerprint !== fingerprint || typeof offset !== 'number' || typeof draw !== 'number') return undefined;
  return { offset, draw };
}

/** Over everything that must not change from page to page, whatever the order of the fields. */
function fingerprintOf(body: Record<string, unknown>): string {
  const fixed = Object.entries(body)
    .filter(([name]) => !pagingFields.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hashOf(JSON.stringify(fixed)).toString(36);
}

/** Only a rectangle can restrict; nothing at all is no restriction. */
function parseRestriction(value: unknown): Box | undefined | string {
  if (value === undefined) return undefined;
  if (!isObject(value) || !isObject(value.rectangle)) return 'location_restriction must be a rectangle.';
  const low = parsePoint(value.rectangle.low);
  const high = parsePoint(value.rectangle.high);
  if (!low || !high) return 'Invalid rectangle viewport: both corners need a latitude and a longitude in range.';
  if (low.latitude > high.latitude) return 'Invalid rectangle viewport: low.latitude is above high.latitude.';
  const width = low.longitude <= high.longitude ? high.longitude - low.longitude : high.longitude - low.longitude + 360;
  if (width > 180) return 'Invalid rectangle viewport: wider than 180 degrees.';
  return { low, high };
}

function parsePoint(value: unknown): Point | undefined {
  if (!isObject(value)) return undefined;
  const { latitude = 0, longitude = 0 } = value;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
