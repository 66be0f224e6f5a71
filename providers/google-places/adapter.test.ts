import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundingBox, metersBetween } from '#providers/geo.ts';
import type { Coordinates, PlaceQuery } from '#providers/provider.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { createPlaceFinder } from './adapter.ts';

const mile = 1609.344;
const around = ({ latitude, longitude }: Coordinates, meters: number) => boundingBox(latitude, longitude, meters);
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1' });
});
afterAll(() => sandbox.close());

const finder = (apiKey = 'sandbox', more: { timeoutMs?: number } = {}) =>
  createPlaceFinder({ apiKey, baseUrl: `${sandbox.url}/google/`, ...more });

describe('against the sandbox', () => {
  test('locates a town by name, postcode and street, and says nothing about an unknown one', async () => {
    await expect(finder().locate('springfield, il')).resolves.toMatchObject({ label: 'Springfield, IL' });
    await expect(finder().locate('62701')).resolves.toMatchObject({ label: 'Springfield, IL 62701' });
    await expect(finder().locate('12 Oak St, Springfield, IL')).resolves.toMatchObject({
      label: '12 Oak St, Springfield, IL',
    });
    await expect(finder().locate('Nowhere At All, ZZ')).resolves.toBeUndefined();
  });

  test('pages through a search: three pages of 20, no id twice, all but service areas in the box', async () => {
    const center = await finder().locate('Springfield, IL');
    if (!center) throw new Error('Springfield is known');
    const query: PlaceQuery = { category: 'plumber', within: around(center, 25 * mile), pageSize: 20 };
    const places = [];
    let pageToken: string | undefined;
    let pages = 0;
    do {
      const page = await finder().searchPage(pageToken === undefined ? query : { ...query, pageToken });
      places.push(...page.places);
      pageToken = page.nextPageToken;
      pages += 1;
    } while (pageToken !== undefined);
    expect(pages).toBe(3);
    expect(new Set(places.map(({ id }) => id)).size).toBe(60);
    expect(places.some(({ serviceArea }) => serviceArea)).toBe(true);
    for (const { latitude, longitude, serviceArea, address, phone, website } of places) {
      expect(latitude === undefined).toBe(serviceArea);
      expect(address === undefined).toBe(serviceArea);
      if (latitude !== undefined && longitude !== undefined) {
        expect(metersBetween(center, { latitude, longitude })).toBeLessThan(25 * mile * Math.SQRT2);
      }
      expect(phone ?? '+1 217-555-0100').toMatch(/^\+1 \d{3}-555-01\d\d$/);
      expect(website ?? 'https://a.example').toMatch(/^https?:\/\//);
    }
    const ids = await finder().countPage(query);
    expect(ids.placeIds).toEqual(places.slice(0, 20).map(({ id }) => id));
  });

  test('paid pages and locating are billed, testing the key and counting are not', async () => {
    const key = 'sandbox-meter';
    const query: PlaceQuery = {
      category: 'bakery',
      within: around({ latitude: 30.3, longitude: -97.7 }, 5 * mile),
      pageSize: 20,
    };
    const spent = () => sandbox.meter.rows().find((row) => row.key === key)?.micros ?? 0;
    await finder(key).testKey();
    await finder(key).countPage(query);
    expect(spent()).toBe(0);
    await finder(key).locate('Austin, TX');
    expect(spent()).toBe(32_000);
    await finder(key).searchPage(query);
    expect(spent()).toBe(67_000);
  });

  test('another query with the same page token is refused as a bad request', async () => {
    const query: PlaceQuery = {
      category: 'plumber',
      within: around({ latitude: 39.76, longitude: -89.6 }, 25 * mile),
      pageSize: 20,
    };
    const { nextPageToken: pageToken = '' } = await finder().searchPage(query);
    await expect(finder().searchPage({ ...query, category: 'baker', pageToken })).rejects.toMatchObject({
      kind: 'bad_request',
      charge: 'none',
    });
  });

  test('the open sea has no businesses', async () => {
    const query = {
      category: 'plumber',
      within: around({ latitude: 35, longitude: -40 }, 5 * mile),
      pageSize: 20,
    };
    await expect(finder().searchPage(query)).resolves.toEqual({ places: [] });
  });
});

describe('faults', () => {
  const query: PlaceQuery = {
    category: 'plumber',
    within: around({ latitude: 39.76, longitude: -89.6 }, 5 * mile),
    pageSize: 20,
  };

  test('a wrong key', async () => {
    await expect(finder('sandbox-bad-key').testKey()).rejects.toMatchObject({
      kind: 'bad_credentials',
      message: expect.stringContaining('rejected this API key'),
    });
  });

  test('credit used up: the test still passes, paid calls do not', async () => {
    await finder('sandbox-out-of-credit').testKey();
    await expect(finder('sandbox-out-of-credit').searchPage(query)).rejects.toMatchObject({ kind: 'out_of_credit' });
  });

  test('too fast twice, with and without a time to wait, then an answer', async () => {
    const { searchPage } = finder('sandbox-google-rate-limited');
    await expect(searchPage(query)).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 1000 });
    await expect(searchPage(query)).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: undefined });
    await expect(searchPage(query)).resolves.toHaveProperty('places');
  });

  test('down: first 503, then a cut connection that may have been billed', async () => {
    const { searchPage } = finder('sandbox-google-down');
    await expect(searchPage(query)).rejects.toMatchObject({ kind: 'transient', charge: 'none' });
    await expect(searchPage(query)).rejects.toMatchObject({ kind: 'transient', charge: 'possible' });
  });

  test('malformed: truncated JSON, then a web page', async () => {
    const { searchPage } = finder('sandbox-google-malformed');
    for (let turn = 0; turn < 2; turn += 1) {
      await expect(searchPage(query)).rejects.toMatchObject({ kind: 'unknown_shape', charge: 'possible' });
    }
  });

  test('slow: given up at the time-out', async () => {
    const { searchPage } = finder('sandbox-slow', { timeoutMs: 200 });
    await expect(searchPage(query)).rejects.toMatchObject({
      kind: 'transient',
      charge: 'possible',
      detail: 'timed out',
    });
  });

  test.each(['', 'key with space', 'clé', 'line\nbreak', 'x'.repeat(501)])(
    'a key that cannot be one: %j',
    async (key) => {
      await expect(finder(key).testKey()).rejects.toMatchObject({ kind: 'bad_credentials' });
    },
  );
});
