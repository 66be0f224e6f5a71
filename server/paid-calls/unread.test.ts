import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { ProviderError } from '#providers/provider.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { CITY } from '#test/areas.ts';
import { buildList, buildListOf, readCalls, readRuns } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

const usual = { ...SPACING };
let product: Product;
beforeAll(async () => {
  const quick = [{ calls: 500, windowMs: 1_000 }];
  Object.assign(SPACING, { google_places: quick, searchbug: quick });
  product = await startProduct();
});
afterAll(() => void Object.assign(SPACING, usual));

test('a search of a whole area stops when no answer can be read, and not only once it has paid for all', async () => {
  const user = await product.user();
  await user.connect('google_places', 'sandbox-city-1000-unread-malformed-later');
  const list_id = await buildList(product.db, user.id);
  await user.call(searchAreaEndpoint, { ...CITY, list_id });
  const run = async () => (await readRuns(product.db, user.id))[0];
  await expect.poll(async () => (await run())?.state, { timeout: 20_000 }).toBe('failed');
  expect(await run()).toMatchObject({
    error_code: 'PROVIDER_UNREADABLE',
    error_message: expect.stringContaining('could not be read, so this stopped. They may have been charged.'),
  });
  const lost = await readCalls(product.db, user.id);
  expect(lost.length).toBeGreaterThanOrEqual(5);
  // Those that were under way together with the fifth one.
  expect(lost.length).toBeLessThan(10);
});

/** Has a check of 300 numbers met a SearchBug whose answers can be read, or not, by the place of the request. */
async function check(isRead: (request: number) => boolean) {
  const user = await product.user();
  await user.connect('searchbug', '12345678:unread');
  const leads = ['217', '312', '512'].flatMap((area) =>
    Array.from({ length: 100 }, (_, at) => ({ phone: `+1 ${area}-555-01${String(at).padStart(2, '0')}` })),
  );
  const list_id = await buildListOf(product.db, user.id, leads, { sandbox: false });
  let requests = 0;
  product.workerDeps.providers.phoneScrubber = () => ({
    testKey: () => Promise.reject(new Error('No one asks.')),
    async scrub(numbers) {
      requests += 1;
      if (!isRead(requests)) throw new ProviderError('searchbug', 'unknown_shape', 'Unread.', { charge: 'possible' });
      const verdicts = new Map(numbers.map((number) => [number, { number, status: 'safe' as const }]));
      return { verdicts, reply: { body: '{}', requestId: null }, rateMicros: 20_000 };
    },
  });
  const ended = await user.call(checkComplianceEndpoint, { list_id }).catch((error: unknown) => error);
  return { ended, requests };
}

test('a check stops when no answer can be read, and goes on where some can', async () => {
  const stopped = await check(() => false);
  expect(stopped.ended).toMatchObject({ code: 'PROVIDER_UNREADABLE' });
  expect(stopped.requests).toBeGreaterThanOrEqual(5);
  expect(stopped.requests).toBeLessThan(8);
  expect(await check((request) => request % 2 === 0)).toMatchObject({ ended: { total: 140, safe: 140 }, requests: 15 });
});
