import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { distanceMeters } from '#sandbox/geography/points.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1' });
});
afterAll(() => sandbox.close());

type WirePlace = Record<string, unknown> & { id: string; displayName: { text: string } };
type Body = { places: WirePlace[]; nextPageToken?: string; error?: { status: string } };

const springfield = { latitude: 39.7622, longitude: -89.606 };
const around = (degrees: number) => ({
  rectangle: {
    low: { latitude: springfield.latitude - degrees, longitude: springfield.longitude - degrees },
    high: { latitude: springfield.latitude + degrees, longitude: springfield.longitude + degrees },
  },
});
const plumbers = { textQuery: 'plumber', includePureServiceAreaBusinesses: true, locationRestriction: around(0.35) };

async function search(
  body: unknown,
  mask: string | undefined = 'places.id,nextPageToken',
  key: string | undefined = 'sandbox',
) {
  const response = await fetch(`${sandbox.url}/google/v1/places:searchText`, {
    method: 'POST',
    headers: { ...(key ? { 'x-goog-api-key': key } : {}), ...(mask ? { 'x-goog-fieldmask': mask } : {}) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

test('only masked fields are returned', async () => {
  const { body } = await search(plumbers, 'places.id,places.displayName');
  expect(Object.keys(body)).toEqual(['places']);
  for (const place of body.places) expect(Object.keys(place).sort()).toEqual(['displayName', 'id']);
  const { body: tokenOnly } = await search(plumbers, 'nextPageToken');
  expect(Object.keys(tokenOnly)).toEqual(['nextPageToken']);
  const { body: everything } = await search(plumbers, '*');
  expect(everything.places[0]).toMatchObject({
    id: expect.any(String),
    displayName: { languageCode: 'en' },
    types: expect.any(Array),
  });
});

test('pages of 20 up to 60, the same every time, with a token that insists on the same body', async () => {
  const first = await search(plumbers);
  expect(first.body.places).toHaveLength(20);
  expect((await search(plumbers)).body).toEqual(first.body);
  const ids = new Set<string>();
  let pageToken: string | undefined;
  let pages = 0;
  do {
    const { body } = await search({ ...plumbers, ...(pageToken ? { pageToken } : {}) });
    for (const { id } of body.places) ids.add(id);
    pageToken = body.nextPageToken;
    pages += 1;
  } while (pageToken);
  expect([pages, ids.size]).toEqual([3, 60]);

  const token = first.body.nextPageToken;
  expect((await search({ pageToken: token, pageSize: 5, ...plumbers })).body.places).toHaveLength(5);
  for (const changed of [{ textQuery: 'plumbers' }, { regionCode: 'US' }, { locationRestriction: around(0.36) }]) {
    const { status, body } = await search({ ...plumbers, ...changed, pageToken: token });
    expect([status, body.error?.status]).toEqual([400, 'INVALID_ARGUMENT']);
  }
  expect((await search({ ...plumbers, pageToken: 'rubbish' })).status).toBe(400);
});

test.each([
  ['no key', plumbers, 'places.id', '', 403, 'PERMISSION_DENIED'],
  ['no mask', plumbers, '', 'sandbox', 400, 'INVALID_ARGUMENT'],
  ['a space in the mask', plumbers, 'places.id, places.name', 'sandbox', 400, 'INVALID_ARGUMENT'],
  ['an unknown field in the mask', plumbers, 'places.phone', 'sandbox', 400, 'INVALID_ARGUMENT'],
  ['broken JSON', '{"textQuery"', 'places.id', 'sandbox', 400, 'INVALID_ARGUMENT'],
  ['an unknown parameter', { ...plumbers, radius: 5 }, 'places.id', 'sandbox', 400, 'INVALID_ARGUMENT'],
  ['no text', { pageSize: 5 }, 'places.id', 'sandbox', 400, 'INVALID_ARGUMENT'],
  ['a negative page size', { ...plumbers, pageSize: -1 }, 'places.id', 'sandbox', 400, 'INVALID_ARGUMENT'],
  ['an odd language', { ...plumbers, languageCode: 'english!' }, 'places.id', 'sandbox', 400, 'INVALID_ARGUMENT'],
  ['bias and restriction', { ...plumbers, locationBias: around(1) }, 'places.id', 'sandbox', 400, 'INVALID_ARGUMENT'],
  ['a circle', { ...plumbers, locationRestriction: { circle: {} } }, 'places.id', 'sandbox', 400, 'INVALID_ARGUMENT'],
  [
    'a box upside down',
    { ...plumbers, locationRestriction: around(-1) },
    'places.id',
    'sandbox',
    400,
    'INVALID_ARGUMENT',
  ],
])('%s is refused', async (_, body, mask, key, status, name) => {
  expect(await search(body, mask, key)).toMatchObject({
    status,
    body: { error: { code: status, status: name, message: expect.any(String) } },
  });
});

test('a page size above 20 is 20, and zero is 20', async () => {
  expect((await search({ ...plumbers, pageSize: 50 })).body.places).toHaveLength(20);
  expect((await search({ ...plumbers, pageSize: 0 })).body.places).toHaveLength(20);
});

const allFields =
  'places.id,places.displayName,places.formattedAddress,places.location,places.businessStatus,places.pureServiceAreaBusiness,places.nationalPhoneNumber,places.internationalPhoneNumber,places.websiteUri,nextPageToken';

async function all(body: object): Promise<WirePlace[]> {
  const found: WirePlace[] = [];
  let pageToken: string | undefined;
  do {
    const answer = await search({ ...body, ...(pageToken ? { pageToken } : {}) }, allFields);
    found.push(...(answer.body.places ?? []));
    pageToken = answer.body.nextPageToken;
  } while (pageToken);
  return found;
}

describe('invented businesses', () => {
  test('smaller boxes hold fewer, and only what lies in them', async () => {
    const [small, middle] = [
      await all({ ...plumbers, locationRestriction: around(0.005) }),
      await all({ ...plumbers, locationRestriction: around(0.08) }),
    ];
    expect(small.length).toBeGreaterThan(0);
    expect(small.length).toBeLessThan(middle.length);
    for (const { location } of middle) {
      if (location) expect(distanceMeters(springfield, location as typeof springfield)).toBeLessThan(13_000);
    }
  });

  test('service-area businesses show neither place nor address, and come only when asked for', async () => {
    const hidden = (await all(plumbers)).filter((place) => place.pureServiceAreaBusiness === true);
    expect(hidden.length).toBeGreaterThan(0);
    for (const place of hidden) expect(place).not.toHaveProperty('formattedAddress');
    const shown = await all({ ...plumbers, includePureServiceAreaBusinesses: false });
    expect(shown.every((place) => place.location !== undefined)).toBe(true);
  });

  test.each(['plumber', 'drone repair', 'Zahnärzte', '💈', 'x'.repeat(200)])(
    'every kind of business can be found: %s',
    async (textQuery) => {
      const places = await all({ ...plumbers, textQuery });
      expect(places).toHaveLength(60);
      expect(places.every(({ displayName }) => displayName.text.length < 140)).toBe(true);
    },
  );

  test('numbers are reserved ones, most of the town; sites are reserved or at shared hosts; some of each are missing', async () => {
    const places = (
      await Promise.all(['plumber', 'dentist', 'bakery', 'florist'].map((textQuery) => all({ ...plumbers, textQuery })))
    ).flat();
    const phones = places.flatMap((place) => place.nationalPhoneNumber ?? []).map(String);
    const sites = places.flatMap((place) => place.websiteUri ?? []).map((site) => new URL(String(site)).hostname);
    expect(phones.every((phone) => /^\(\d{3}\) 555-01\d\d$/.test(phone))).toBe(true);
    expect(phones.filter((phone) => phone.startsWith('(217)')).length).toBeGreaterThan(phones.length / 2);
    expect(phones.some((phone) => /^\(8[0-9]{2}\)/.test(phone))).toBe(true);
    expect(new Set(phones).size).toBeLessThan(phones.length);
    expect(phones.length).toBeLessThan(places.length);
    const shared = ['www.facebook.com', 'www.instagram.com', 'linktr.ee'];
    expect(
      sites.every((host) => host.endsWith('.example') || host.endsWith('.wixsite.com') || shared.includes(host)),
    ).toBe(true);
    expect(new Set(sites.filter((host) => !host.endsWith('.example'))).size).toBeGreaterThan(2);
    expect(sites.length).toBeLessThan(places.length);
    expect(places.some((place) => place.businessStatus === 'CLOSED_PERMANENTLY')).toBe(true);
  });
});

test('a circle over the antimeridian is counted on both sides of it', async () => {
  const count = async (longitude: number, radius: number) => {
    const response = await fetch(`${sandbox.url}/google/v1:computeInsights`, {
      method: 'POST',
      headers: { 'x-goog-api-key': 'sandbox-city-300-aleutian' },
      body: JSON.stringify({
        insights: ['INSIGHT_COUNT'],
        filter: {
          locationFilter: { circle: { latLng: { latitude: 51.9, longitude }, radius } },
          typeFilter: { includedTypes: ['dentist'] },
        },
      }),
    });
    return ((await response.json()) as { count?: string }).count;
  };
  expect(await count(179.99, 20_000)).toBe('300');
  expect(await count(-179.99, 20_000)).toBe('300');
  expect(await count(0, 20_000_000)).toBe('300');
});
