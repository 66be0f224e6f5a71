import { beforeAll, expect, test, vi } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { buildListOf, readCalls, readLeads, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let number = 0;
beforeAll(async () => {
  product = await startProduct();
});

async function userWithKey(fault = ''): Promise<{ user: TestUser; key: string }> {
  const user = await product.user();
  number += 1;
  const key = `sandbox-enrich${number}${fault}`;
  await user.connect('hunter_io', key);
  return { user, key };
}
const sites = (count: number, name = 'business') =>
  Array.from({ length: count }, (_, index) => ({ website: `https://www.${name}${index}.example/` }));
const enrich = (who: TestUser, listId: string) =>
  who.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
const meter = (key: string) => product.sandbox.meter.callsBySubject('hunter', key);
const row = (key: string) => product.sandbox.meter.rows().find((one) => one.provider === 'hunter' && one.key === key);

test('each domain is asked once, leads are matched by domain, and the counts are right', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, [
    ...sites(12),
    { website: 'https://shop.business3.example/menu' },
    { website: 'https://facebook.com/business' },
    { website: null },
  ]);
  const data = await enrich(user, listId);
  const leads = await readLeads(product.db, listId);
  const withEmail = leads.filter((lead) => lead.email);
  expect(data).toEqual({
    total_domains_processed: 12,
    leads_updated: withEmail.length,
    emails_added: withEmail.length,
    contacts_added: leads.filter((lead) => lead.owner_name).length,
    cost: (row(key)?.micros ?? 0) / 1_000_000,
  });
  expect(withEmail.length).toBeGreaterThan(3);
  for (const lead of withEmail) {
    expect(lead.website).toContain(lead.email?.split('@')[1]);
    expect(lead.email_call_id).toBeTruthy();
  }
  expect(leads[12]?.email).toBe(leads[3]?.email);
  expect([...meter(key)].filter(([, calls]) => calls > 1)).toEqual([]);
  expect(await readList(product.db, listId)).toMatchObject({
    status: 'completed',
    tier2_complete: true,
    completeness: 65,
    has_emails: true,
  });
  const [run] = await readRuns(product.db, user.id);
  expect(run?.estimate_micros).toBe(12 * 50_000);
  expect(run?.totals).toMatchObject({
    leads: 15,
    withoutWebsite: 1,
    onSharedHost: 1,
    domains: 12,
    domainsDone: 12,
    domainsKnown: 0,
  });
});

test.each([
  [{ tier3_complete: true }, 85],
  [{ tier3_complete: true, tier4_complete: true }, 100],
])('completeness follows the tiers %o', async (tiers, completeness) => {
  const { user } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, sites(1), tiers);
  await enrich(user, listId);
  expect((await readList(product.db, listId)).completeness).toBe(completeness);
});

test('what is known costs nothing: again, and in another list', async () => {
  const { user, key } = await userWithKey();
  const one = await buildListOf(product.db, user.id, sites(8));
  const two = await buildListOf(product.db, user.id, sites(10));
  const first = await enrich(user, one);
  expect(await enrich(user, one)).toEqual({ ...first, leads_updated: 0, emails_added: 0, contacts_added: 0, cost: 0 });
  const second = await enrich(user, two);
  expect([...meter(key).values()].every((calls) => calls === 1)).toBe(true);
  expect(meter(key).size).toBe(10);
  expect(second.emails_added).toBeGreaterThanOrEqual(first.emails_added);
  const runs = await readRuns(product.db, user.id);
  expect(runs.at(-1)).toMatchObject({ estimate_micros: 2 * 50_000, totals: { domainsKnown: 8 } });
});

test('nothing found overwrites nothing', async () => {
  const { user } = await userWithKey();
  const kept = { email: 'kept@else.example', owner_name: 'Kept Owner' };
  const listId = await buildListOf(
    product.db,
    user.id,
    sites(30).map((site) => ({ ...site, ...kept })),
  );
  const { emails_added, contacts_added } = await enrich(user, listId);
  expect([emails_added, contacts_added]).toEqual([0, 0]);
  const leads = await readLeads(product.db, listId);
  expect(leads.every((lead) => lead.email && lead.owner_name)).toBe(true);
  const missed = leads.filter((lead) => lead.email_call_id === null);
  expect(missed.length).toBeGreaterThan(0);
  expect(missed.every((lead) => lead.email === kept.email)).toBe(true);
});

test('an email or owner of the user’s own file stays', async () => {
  const { user } = await userWithKey();
  const own = { email: 'own@file.example', owner_name: 'Ann Own', sources: { email: 'file', owner_name: 'file' } };
  const listId = await buildListOf(product.db, user.id, [
    ...sites(12),
    ...sites(12).map((site) => ({ ...site, ...own, sources: JSON.stringify(own.sources) })),
  ]);
  await enrich(user, listId);
  const leads = await readLeads(product.db, listId);
  expect(leads.slice(0, 12).some(({ email }) => email !== null)).toBe(true);
  for (const lead of leads.slice(12)) expect(lead).toMatchObject(own);
});

test('a list without websites completes at once and asks nothing', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, [{ website: null }]);
  expect(await enrich(user, listId)).toEqual({
    total_domains_processed: 0,
    leads_updated: 0,
    emails_added: 0,
    contacts_added: 0,
    cost: 0,
  });
  expect(row(key)).toBeUndefined();
});

test('two tabs at once pay once; two lists of the same domains pay once', async () => {
  const { user, key } = await userWithKey();
  const lists = await Promise.all([1, 2].map(() => buildListOf(product.db, user.id, sites(20))));
  await Promise.all(lists.flatMap((listId) => [enrich(user, listId), enrich(user, listId)]));
  expect(await readRuns(product.db, user.id)).toHaveLength(2);
  expect([...meter(key).values()].reduce((sum, calls) => sum + calls, 0)).toBe(20);
  const [one, two] = await Promise.all(lists.map((listId) => readLeads(product.db, listId)));
  expect(one?.map((lead) => lead.email)).toEqual(two?.map((lead) => lead.email));
}, 20_000);

test('a refused key is not tried on every domain', async () => {
  const { user, key } = await userWithKey('-bad-key');
  const listId = await buildListOf(product.db, user.id, sites(32, 'refused'));
  await expect(enrich(user, listId)).rejects.toMatchObject({ code: 'PROVIDER_BAD_CREDENTIALS' });
  expect(meter(key).size).toBeLessThan(25);
});

test.each([
  ['bad-key', 422, 'PROVIDER_BAD_CREDENTIALS'],
  ['out-of-credit', 402, 'OUT_OF_CREDIT'],
  ['malformed', 502, 'PROVIDER_UNREADABLE'],
  ['down', 502, 'PROVIDER_FAILED'],
])(
  '%s stops the run with a message, and Retry with a good key continues',
  async (fault, status, code) => {
    const { user } = await userWithKey(`-${fault}`);
    const listId = await buildListOf(product.db, user.id, sites(3));
    await expect(enrich(user, listId)).rejects.toMatchObject({
      status,
      code,
      message: expect.stringContaining('Hunter'),
    });
    expect((await readList(product.db, listId)).status).toBe('failed');
    expect((await readRuns(product.db, user.id))[0]).toMatchObject({ state: 'failed', error_code: code });
    await user.connect('hunter_io', 'sandbox');
    await enrich(user, listId);
    expect((await readList(product.db, listId)).status).toBe('completed');
    const open = (await readCalls(product.db, user.id)).filter((call) => !['answered', 'failed'].includes(call.state));
    expect(open).toEqual([]);
  },
  20_000,
);

test('a rate limit is waited for inside the run', async () => {
  const { user } = await userWithKey('-rate-limited');
  const listId = await buildListOf(product.db, user.id, sites(3));
  expect((await enrich(user, listId)).total_domains_processed).toBe(3);
  expect((await readCalls(product.db, user.id)).map((call) => call.attempts)).toEqual([3, 3, 3]);
});

test('calls leave at the pace of the limit, not one after the other', async () => {
  const { user } = await userWithKey('-slow');
  const listId = await buildListOf(product.db, user.id, sites(15));
  const started = Date.now();
  await enrich(user, listId);
  // Fifteen calls of three seconds: ten leave at once, five a second later.
  expect(Date.now() - started).toBeLessThan(6_000);
}, 20_000);

test('further requests for one answer keep to the limit as well', async () => {
  const { user } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, sites(1, 'polled'));
  const { providers } = product.workerDeps;
  const original = providers.emailFinder;
  providers.emailFinder = (apiKey) => ({
    ...original(apiKey),
    async searchDomain(domain, options) {
      for (let poll = 0; poll < 10; poll += 1) await options?.takeTurn?.();
      return { domain, contacts: [] };
    },
  });
  const started = Date.now();
  await enrich(user, listId);
  providers.emailFinder = original;
  // The eleventh of them leaves a second after the first.
  expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
});

test('without a key the list fails with the text of the spec', async () => {
  const user = await product.user();
  const listId = await buildListOf(product.db, user.id, sites(1));
  await expect(enrich(user, listId)).rejects.toMatchObject({
    status: 400,
    code: 'MISSING_API_KEY',
    message: 'Hunter.io API key is missing. Add it in Settings > API Providers.',
  });
  expect((await readList(product.db, listId)).status).toBe('failed');
});

test("a sandbox list refuses a real key, and someone else's list is not found", async () => {
  const { user } = await userWithKey();
  const other = await product.user();
  await other.connect('hunter_io', 'a-real-looking-key');
  const listId = await buildListOf(product.db, user.id, sites(1));
  await expect(enrich(other, listId)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const own = await buildListOf(product.db, other.id, sites(1));
  await expect(enrich(other, own)).rejects.toMatchObject({ status: 409, code: 'SANDBOX_MISMATCH' });
});

test('archiving a list stops its run, and what was found is kept', async () => {
  const { user, key } = await userWithKey('-slow');
  const listId = await buildListOf(product.db, user.id, sites(100));
  const refused = expect(enrich(user, listId)).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  await vi.waitFor(() => expect(meter(key).size).toBeGreaterThan(0), 15_000);
  await product.db.updateTable('lists').set({ lifecycle_status: 'archived' }).where('id', '=', listId).execute();
  await refused;
  expect(meter(key).size).toBeLessThan(100);
  expect((await readList(product.db, listId)).status).toBe('completed');
  const calls = await readCalls(product.db, user.id);
  expect(calls.filter((call) => call.state === 'answered').length).toBe(meter(key).size);
}, 40_000);

test('keys are never logged', () => {
  expect(product.log.length).toBeGreaterThan(0);
  expect(product.log.filter((line) => line.includes('sandbox-enrich'))).toEqual([]);
});
