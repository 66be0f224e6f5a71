import type { Business } from '#sandbox/businesses/businesses.ts';
import { matchesCategory } from '#sandbox/businesses/csv-businesses.ts';
import { businessesWithin, byRelevance, inventedBusinesses } from '#sandbox/businesses/invented-businesses.ts';
import { differs, leftOut } from '#sandbox/businesses/left-out.ts';
import { type City, cityOf } from '#sandbox/businesses/seeded-city.ts';
import { type Location, locate } from '#sandbox/geography/locate.ts';
import { type Box, centerOf, isInside, type Point } from '#sandbox/geography/points.ts';
import { plainName, towns } from '#sandbox/geography/towns.ts';
import type { Answer, SandboxReply, SandboxRequest, Simulation } from '#sandbox/wire.ts';
import { parseInsights } from './google-insights.ts';
import { applyMask, parseMask } from './google-mask.ts';
import { businessOnWire, locationOnWire } from './google-place.ts';
import { type GoogleSearch, pageToken, parseSearch } from './google-request.ts';

/** Google never returns more, over all pages. */
const maxResults = 60;
/** A search this far from any town finds nothing. */
const emptyMeters = 150_000;

/** Places API (New), `places:searchText` only, and counts of Places Aggregate. Businesses of the CSV are served wherever it has any. */
export function simulateGoogle(csv: readonly Business[]): Simulation {
  const area = boxAround(csv);
  return {
    keyOf,
    answer: (request) => answer(request, csv, area),
    badKey: (hasKey) =>
      hasKey
        ? refusal(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 'API_KEY_INVALID')
        : refusal(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers."),
    outOfCredit: () => quota('SearchTextRequestPerDayPerProject', '1/d/{project}'),
    rateLimited: () => quota('SearchTextRequestPerMinutePerProject', '1/min/{project}'),
    down: () => refusal(503, 'UNAVAILABLE', 'The service is currently unavailable.'),
  };
}

const keyOf = ({ headers, query }: SandboxRequest): string | undefined =>
  headers['x-goog-api-key'] || query.get('key') || undefined;

function answer(request: SandboxRequest, csv: readonly Business[], area: Box | undefined): Answer {
  const unpaid = (reply: SandboxReply): Answer => ({ reply, subject: request.path, units: 0, micros: 0, free: false });
  if (request.method === 'POST' && request.path === '/v1:computeInsights') return insights(request, csv, area, unpaid);
  if (request.method !== 'POST' || request.path !== '/v1/places:searchText') {
    return unpaid({
      status: 404,
      headers: { 'content-type': 'text/html' },
      body: '<html><title>Error 404</title></html>',
    });
  }
  const mask = parseMask(request.headers['x-goog-fieldmask'] ?? request.query.get('$fields') ?? undefined);
  if (typeof mask === 'string') return unpaid(refusal(400, 'INVALID_ARGUMENT', mask));
  const key = keyOf(request) ?? '';
  const search = parseSearch(request.body, differs(key) ? Math.random() : 0);
  if (typeof search === 'string') return unpaid(refusal(400, 'INVALID_ARGUMENT', search));

  const isLeftOut = leftOut(key, search.draw);
  const found = find(search, csv, area, cityOf(key))
    .filter((place) => !isLeftOut(place.id))
    .slice(0, maxResults);
  const end = search.offset + search.pageSize;
  const places = found.slice(search.offset, end).map((place) => applyMask(onWire(place), mask));
  const isAsked = mask.all || mask.fields.size > 0;
  return {
    reply: {
      status: 200,
      body: {
        ...(places.length > 0 && isAsked ? { places } : {}),
        ...(mask.token && end < found.length ? { nextPageToken: pageToken(end, search) } : {}),
      },
    },
    subject: `${search.textQuery}|${search.fingerprint}|${search.offset}|${mask.micros}`,
    units: mask.micros > 0 ? 1 : 0,
    micros: mask.micros,
    free: mask.micros === 0,
  };
}

/** Ten dollars for a thousand counts. */
const COUNT_MICROS = 10_000;

/** Places Aggregate: how many there are, without showing any. It counts what a search leaves out, too. */
function insights(
  request: SandboxRequest,
  csv: readonly Business[],
  area: Box | undefined,
  unpaid: (reply: SandboxReply) => Answer,
): Answer {
  const asked = parseInsights(request.body);
  if (typeof asked === 'string') return unpaid(refusal(400, 'INVALID_ARGUMENT', asked));
  const { types, box, holds } = asked;
  const city = cityOf(keyOf(request) ?? '');
  const search = { restriction: box, serviceAreas: true };
  const here = city
    ? city.within(box)
    : types.flatMap((type) => businesses(type.replaceAll('_', ' '), search, centerOf(box), csv, area));
  // A place of two types counts once.
  const open = here.filter((business) => holds(business) && business.status !== 'CLOSED_PERMANENTLY');
  const count = new Set(open.map(({ id }) => id)).size;
  return {
    reply: { status: 200, body: count > 0 ? { count: String(count) } : {} },
    subject: `count of ${types.join('+')}|${JSON.stringify(box)}|0|${COUNT_MICROS}`,
    units: 1,
    micros: COUNT_MICROS,
    free: false,
  };
}

/** Everything that fits, most relevant first. */
function find(
  search: GoogleSearch,
  csv: readonly Business[],
  area: Box | undefined,
  city: City | undefined,
): (Business | Location)[] {
  const { textQuery, restriction } = search;
  if (restriction && city) return city.within(restriction);
  if (restriction) return businesses(textQuery, search, centerOf(restriction), csv, area);

  const place = locate(textQuery, csv);
  if (place) return [place];
  const named = csv.filter(({ name }) => plainName(name) === plainName(textQuery));
  if (named.length > 0) return named;
  // "coffee in Austin, TX": a category and a place in one text.
  const [, category, where] = /^(.+?)\s+(?:in|near)\s+(.+)$/i.exec(textQuery) ?? [];
  const center = where === undefined ? undefined : locate(where, csv);
  return category && center ? businesses(category, search, center, csv, area) : [];
}

const onWire = (place: Business | Location) => ('status' in place ? businessOnWire(place) : locationOnWire(place));

function businesses(
  category: string,
  { restriction, serviceAreas }: Pick<GoogleSearch, 'serviceAreas'> & { restriction?: Box },
  center: Point,
  csv: readonly Business[],
  area: Box | undefined,
): Business[] {
  const isHere = (business: Business) => !restriction || isInside(restriction, business);
  const near = restriction ?? { low: center, high: center };
  const isOffered = (business: Business) => serviceAreas || !business.serviceArea;
  if (area && overlaps(area, near)) {
    return csv.filter((business) => isHere(business) && matchesCategory(business, category));
  }
  if (restriction) {
    const here = businessesWithin(category, restriction).filter((business) => isHere(business) && isOffered(business));
    return byRelevance(here, center);
  }
  const town = towns().nearest(center, emptyMeters);
  return town ? inventedBusinesses(category, town).filter(isOffered) : [];
}

function boxAround(points: readonly Point[]): Box | undefined {
  if (points.length === 0) return undefined;
  const latitudes = points.map(({ latitude }) => latitude);
  const longitudes = points.map(({ longitude }) => longitude);
  return {
    low: { latitude: Math.min(...latitudes), longitude: Math.min(...longitudes) },
    high: { latitude: Math.max(...latitudes), longitude: Math.max(...longitudes) },
  };
}

const overlaps = (a: Box, b: Box) =>
  a.low.latitude <= b.high.latitude &&
  b.low.latitude <= a.high.latitude &&
  a.low.longitude <= b.high.longitude &&
  b.low.longitude <= a.high.longitude;

function refusal(code: number, status: string, message: string, reason?: string, metadata: object = {}): SandboxReply {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'googleapis.com',
    metadata: { service: 'places.googleapis.com', ...metadata },
  };
  return { status: code, body: { error: { code, message, status, ...(reason ? { details: [info] } : {}) } } };
}

const quota = (limit: string, unit: string) =>
  refusal(
    429,
    'RESOURCE_EXHAUSTED',
    `Quota exceeded for quota metric 'SearchTextRequest' and limit '${limit}'.`,
    'RATE_LIMIT_EXCEEDED',
    {
      quota_limit: limit,
      quota_unit: unit,
      quota_limit_value: '600',
    },
  );
