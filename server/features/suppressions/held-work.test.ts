import { beforeAll, expect, test, vi } from 'vitest';
import { addressOf } from '#contract/address.ts';
import { addSuppressionEndpoint, type SuppressionKind } from '#contract/calling/suppressions.ts';
import { checkComplianceEndpoint, estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { buildListOf, readCalls, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let other: TestUser;
let keys = 0;
beforeAll(async () => {
  product = await startProduct();
  other = await product.user();
});

async function userWithKey(provider: 'hunter_io' | 'searchbug', fault = ''): Promise<{ user: TestUser; key: string }> {
  const user = await product.user();
  keys += 1;
  const key = `sandbox-held${keys}${fault}`;
  await user.connect(provider, key);
  return { user, key };
}
/** Someone else suppresses: it holds for everyone. */
const suppress = (kind: SuppressionKind, value: string) => other.call(addSuppressionEndpoint, { kind, value });
const numbers = (count: number, area: string) =>
  Array.from({ length: count }, (_, at) => ({ phone: `+1 ${area}-555-01${String(at).padStart(2, '0')}` }));
const sites = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => ({ website: `https://www.${name}${at}.example/` }));
const asked = (provider: 'hunter' | 'searchbug', key: string) =>
  [...product.sandbox.meter.callsBySubject(provider, key).keys()].flatMap((subject) => subject.split(',')).toSorted();

test('no money is spent on checking a suppressed number, and the list is checked without it', async () => {
  const { user, key } = await userWithKey('searchbug');
  const listId = await buildListOf(product.db, user.id, numbers(4, '303'));
  await suppress('phone', '(303) 555-0102');
  const price = await user.call(estimateComplianceEndpoint, { list_id: listId });
  expect(price).toMatchObject({ leads: 4, suppressed: 1, toCheck: 3 });
  expect(await user.call(checkComplianceEndpoint, { list_id: listId })).toMatchObject({ cost: 0.06 });
  expect(asked('searchbug', key)).toEqual(['3035550100', '3035550101', '3035550103']);
  expect((await readRuns(product.db, user.id))[0]?.totals).toMatchObject({ leads: 4, suppressed: 1, numbers: 3 });
});

test('no money is spent on looking up a suppressed company', async () => {
  const { user, key } = await userWithKey('hunter_io');
  const listId = await buildListOf(product.db, user.id, sites(4, 'quiet'));
  await suppress('domain', 'quiet2.example');
  expect(await user.call(estimateEnrichmentEndpoint, { list_id: listId, steps: ['hunter'] })).toMatchObject({
    suppressed: 1,
    toLookUp: 3,
  });
  expect(await user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] })).toMatchObject({
    total_domains_processed: 3,
  });
  expect(asked('hunter', key)).toEqual(['quiet0.example', 'quiet1.example', 'quiet3.example']);
  expect(await readList(product.db, listId)).toMatchObject({ status: 'completed', tier2_complete: true });
});

test('who is suppressed while a run works is not asked about anymore', async () => {
  const { user, key } = await userWithKey('hunter_io');
  const listId = await buildListOf(product.db, user.id, sites(60, 'late'));
  const run = user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
  await vi.waitFor(() => expect(asked('hunter', key).length).toBeGreaterThan(0), { timeout: 10_000 });
  await suppress('domain', 'late59.example');
  await run;
  expect(asked('hunter', key)).not.toContain('late59.example');
  expect(asked('hunter', key)).toHaveLength(59);
});

test('no export holds a suppressed lead, and the counts say so before', async () => {
  const { user } = await userWithKey('searchbug');
  const checked = { compliance_status: 'safe', compliance_checked_at: new Date() };
  const listId = await buildListOf(product.db, user.id, [
    { business_name: 'Kept', phone: '+1 505-555-0100', email: 'kept@one.example', ...checked },
    { business_name: 'Phone', phone: '+1 505-555-0101', ...checked },
    { business_name: 'Mail', email: 'Stop.Me@two.example', ...checked },
    { business_name: 'Below', email: 'x@three.example', website: 'https://shop.three.example' },
    { business_name: 'Place', place_id: 'ChIJinvented_place-2' },
  ]);
  await suppress('phone', '505.555.0101');
  await suppress('email', 'stop.me@TWO.example');
  await suppress('domain', 'three.example');
  await suppress('business', 'ChIJinvented_place-2');
  const counts = await user.call(countLeadsEndpoint, {}, { listId });
  expect(counts).toMatchObject({ leads: 5, emails: 3, safe: 3, suppressed: 4 });
  expect(counts.exports).toMatchObject({
    all: { all_leads: 1, clean: 1 },
    has_emails: { all_leads: 1, clean: 1 },
  });
  const response = await product.request(addressOf(exportLeadsEndpoint.path, { listId }), {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads' }),
  });
  const lines = (await response.text()).trimEnd().split('\r\n');
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['Kept']);
});

test('who is suppressed while a check waits to be sent again is not asked about anymore', async () => {
  const user = await product.user();
  const key = 'sandbox-held-rate-limited-later';
  await user.connect('searchbug', key);
  const listId = await buildListOf(product.db, user.id, numbers(4, '206'));
  const run = user.call(checkComplianceEndpoint, { list_id: listId });
  await vi.waitFor(() => expect(asked('searchbug', key)).toHaveLength(4), { timeout: 10_000 });
  await suppress('phone', '(206) 555-0102');
  expect(await run).toMatchObject({ cost: 0.06 });
  const billed = ['2065550100', '2065550101', '2065550103'];
  expect([...product.sandbox.meter.callsBySubject('searchbug', key).keys()].at(-1)).toBe(billed.join(','));
  const calls = await readCalls(product.db, user.id);
  expect(calls.map(({ subject, state }) => [subject, state]).toSorted()).toEqual(
    billed.map((number) => [number, 'answered']),
  );
});

test('who is suppressed while Hunter counts is not looked up anymore', async () => {
  const user = await product.user();
  const key = 'sandbox-held-counts-slow';
  await user.connect('hunter_io', key);
  const listId = await buildListOf(product.db, user.id, sites(3, 'counted'));
  const run = user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['open', 'hunter'] });
  const areSent = async () =>
    expect((await readCalls(product.db, user.id)).filter(({ state }) => state === 'sent')).toHaveLength(3);
  await vi.waitFor(areSent, { timeout: 10_000 });
  await Promise.all([0, 1, 2].map((at) => suppress('domain', `counted${at}.example`)));
  expect(await run).toMatchObject({ cost: 0 });
  expect(product.sandbox.meter.rows().find((row) => row.key === key)?.micros ?? 0).toBe(0);
});
