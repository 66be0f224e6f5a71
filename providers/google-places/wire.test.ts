import { expect, test } from 'vitest';
import { boundingBox } from '#providers/geo.ts';
import { createPlaceFinder } from './adapter.ts';
import { placeTypeOf } from './place-types.ts';

type Sent = { url: string; headers: Headers; body: Record<string, unknown> };

/** A finder whose requests are noted and answered with the given value. */
function finderWith(answer: unknown) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.push({ url: String(url), headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) });
    return Response.json(answer);
  };
  return {
    finder: createPlaceFinder({
      apiKey: ' key-1 ',
      baseUrl: 'https://places.example/',
      insightsUrl: 'https://insights.example',
      fetch,
    }),
    sent,
  };
}

const query = {
  category: ' plumber ',
  within: boundingBox(30.267153, -97.7430608, 80_467),
  pageSize: 20,
};

test('a search sends key and mask in headers, and category, rectangle and service areas in the body', async () => {
  const { finder, sent } = finderWith({});
  await finder.searchPage(query);
  expect(sent[0]?.url).toBe('https://places.example/v1/places:searchText');
  expect(sent[0]?.headers.get('x-goog-api-key')).toBe('key-1');
  expect(sent[0]?.headers.get('x-goog-fieldmask')).toMatch(/^places\.id,places\.displayName,\S*,nextPageToken$/);
  expect(sent[0]?.body).toMatchObject({
    textQuery: 'plumber',
    pageSize: 20,
    regionCode: 'US',
    languageCode: 'en',
    includePureServiceAreaBusinesses: true,
    locationRestriction: {
      rectangle: { low: { latitude: expect.closeTo(29.543, 2) }, high: { latitude: expect.closeTo(30.991, 2) } },
    },
  });
});

test('a further page repeats the same body with the token', async () => {
  const { finder, sent } = finderWith({});
  await finder.searchPage(query);
  await finder.searchPage({ ...query, pageToken: 'next' });
  expect(sent[1]?.body).toEqual({ ...sent[0]?.body, pageToken: 'next' });
});

test('counting asks for ids only', async () => {
  const { finder, sent } = finderWith({ places: [{ id: 'a' }, { id: 'b' }], nextPageToken: 't' });
  await expect(finder.countPage(query)).resolves.toEqual({ placeIds: ['a', 'b'], nextPageToken: 't' });
  expect(sent[0]?.headers.get('x-goog-fieldmask')).toBe('places.id,nextPageToken');
});

test('a count of an area asks Places Aggregate, at its own address', async () => {
  const { finder, sent } = finderWith({ count: '1234' });
  const center = { latitude: 38.5, longitude: -98.5 };
  await expect(finder.countArea(['dentist', 'plumber'], { kind: 'circle', center, meters: 15_000.4 })).resolves.toBe(
    1234,
  );
  const [one, two, three] = [center, { latitude: 38.5, longitude: -98 }, { latitude: 39, longitude: -98 }];
  await finder.countArea(['dentist'], { kind: 'polygon', border: [one, two, three] });
  expect(sent[0]).toMatchObject({
    url: 'https://insights.example/v1:computeInsights',
    body: {
      insights: ['INSIGHT_COUNT'],
      filter: {
        locationFilter: { circle: { latLng: center, radius: 15_000 } },
        typeFilter: { includedTypes: ['dentist', 'plumber'] },
      },
    },
  });
  expect(sent[1]?.body).toMatchObject({
    filter: { locationFilter: { customArea: { polygon: { coordinates: [one, two, three, one] } } } },
  });
});

test('no count is none, and what is no number is not taken for one', async () => {
  const area = { kind: 'circle', center: { latitude: 0, longitude: 0 }, meters: 1 } as const;
  await expect(finderWith({}).finder.countArea(['zoo'], area)).resolves.toBe(0);
  await expect(finderWith({ count: 'many' }).finder.countArea(['zoo'], area)).rejects.toMatchObject({
    charge: 'possible',
  });
});

test.each([
  ['dentist', 'dentist'],
  [' Dentists ', 'dentist'],
  ['Bakeries', 'bakery'],
  ['coffee shop', 'coffee_shop'],
  ['Churches', 'church'],
  ['orthodontist', undefined],
])('%s is Google’s type %s', (typed, type) => {
  expect(placeTypeOf(typed)).toBe(type);
});

test.each([
  ['Austin, TX', 'US'],
  ['Springfield', 'US'],
  ['62701', 'US'],
  ['12 Main St, Salem, Oregon', 'US'],
  ['Douglas, Isle of Man', undefined],
  ['Bath, England', undefined],
])('%s is located with region %s', async (text, region) => {
  const { finder, sent } = finderWith({});
  await expect(finder.locate(text)).resolves.toBeUndefined();
  expect(sent[0]?.body).toEqual({ textQuery: text, pageSize: 1, ...(region ? { regionCode: region } : {}) });
  expect(sent[0]?.headers.get('x-goog-fieldmask')).toBe(
    'places.id,places.formattedAddress,places.location,places.viewport,places.types',
  );
});

test('a search outside the United States leans nowhere', async () => {
  const { finder, sent } = finderWith({});
  await finder.searchPage({ ...query, within: boundingBox(54.15, -4.48, 80_467) });
  expect(sent[0]?.body).not.toHaveProperty('regionCode');
});

test('a result that is a business is no location, one that is political or an address is', async () => {
  const at = { location: { latitude: 1, longitude: 2 }, formattedAddress: 'Oxford, MS, USA' };
  const locate = (types: string[]) => finderWith({ places: [{ id: 'x', types, ...at }] }).finder.locate('Oxford');
  await expect(locate(['restaurant', 'point_of_interest', 'establishment'])).resolves.toBeUndefined();
  await expect(locate([])).resolves.toBeUndefined();
  await expect(locate(['locality', 'political'])).resolves.toEqual({
    id: 'x',
    label: 'Oxford, MS',
    latitude: 1,
    longitude: 2,
  });
  await expect(locate(['postal_code'])).resolves.toBeDefined();
  await expect(locate(['street_address'])).resolves.toBeDefined();
});

test('a location without coordinates is unknown', async () => {
  const { finder } = finderWith({ places: [{ id: 'x', types: ['locality'] }] });
  await expect(finder.locate('Oxford')).resolves.toBeUndefined();
});

test('places are read whatever is missing, wrong or new in them', async () => {
  const { finder } = finderWith({
    places: [
      { id: 'only-id' },
      {
        id: 'odd',
        displayName: { text: ' Odd & Co ' },
        websiteUri: 'javascript:alert(1)',
        rating: 'five',
        types: 7,
        businessStatus: 'FUTURE_OPENING',
        location: 'there',
        nationalPhoneNumber: '(217) 555-0101',
      },
      {
        id: 'gone',
        businessStatus: 'CLOSED_PERMANENTLY',
        location: { longitude: 6.6 },
        websiteUri: 'www.gone.example',
        internationalPhoneNumber: '+1 217-555-0102',
        nationalPhoneNumber: '(217) 555-0102',
      },
      { id: 'mobile', displayName: { text: 'Mobile' }, pureServiceAreaBusiness: true },
    ],
    nextPageToken: '',
  });
  await expect(finder.searchPage(query)).resolves.toEqual({
    places: [
      { id: 'only-id', name: 'Unnamed business', serviceArea: false, closedPermanently: false },
      { id: 'odd', name: 'Odd & Co', phone: '(217) 555-0101', serviceArea: false, closedPermanently: false },
      {
        id: 'gone',
        name: 'Unnamed business',
        phone: '+1 217-555-0102',
        website: 'https://www.gone.example',
        latitude: 0,
        longitude: 6.6,
        serviceArea: false,
        closedPermanently: true,
      },
      { id: 'mobile', name: 'Mobile', serviceArea: true, closedPermanently: false },
    ],
  });
});

test.each([[[]], ['text'], [{ places: 'many' }], [{ places: [{ name: 'no id' }] }], [null]])(
  'an answer of another shape is refused: %j',
  async (answer) => {
    await expect(finderWith(answer).finder.searchPage(query)).rejects.toMatchObject({
      kind: 'unknown_shape',
      charge: 'possible',
    });
    await expect(finderWith(answer).finder.testKey()).rejects.toMatchObject({ kind: 'unknown_shape', charge: 'none' });
  },
);
