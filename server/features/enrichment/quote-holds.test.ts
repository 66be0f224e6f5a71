import { beforeAll, expect, test } from 'vitest';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { ENRICHMENT_STEPS, type EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { EnrichmentTotals } from '#contract/work/runs.ts';
import { buildListOf, readLeads, readRuns } from '#test/lists.ts';
import { loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await loadCsv(
    product.url,
    Array.from({ length: 6 }, (_, at) => ({
      id: `sandbox-${at}`,
      name: `Quay ${at}`,
      category: 'dentist',
      latitude: 39.8,
      longitude: -89.65,
      phone: `+1 217-555-011${at}`,
      email: `open${at}@quote${at}.example`,
    })),
    { source: 'quotes' },
  );
});

/** The same numbers for the same seed. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function quoted(user: TestUser, list_id: string, steps: EnrichmentStep[]) {
  const quote = await user.call(estimateEnrichmentEndpoint, { list_id, steps });
  const { cost } = await user.call(enrichEmailsEndpoint, { list_id, steps });
  const [run] = (await readRuns(product.db, user.id)).filter((one) => one.list_id === list_id).slice(-1);
  return { quote, run, paid: Math.round(cost * 1_000_000) };
}

test.each([1, 2, 3, 4, 5, 6])(
  'no run costs more than was quoted, whatever is known and asked for (%i)',
  async (seed) => {
    const user = await product.user();
    await user.connect('hunter_io', `sandbox-quote-${seed}`);
    const random = sequence(seed);
    const leads = Array.from({ length: 14 }, (_, at) => {
      const site = random(9);
      return {
        business_name: `Quay ${at}`,
        phone: `+1 217-555-011${random(9)}`,
        website: random(5) === 0 ? null : `https://www.quote${site}.example/`,
        email: random(3) === 0 ? `desk${random(6)}@quote${site}.example` : null,
      };
    });
    const listId = await buildListOf(product.db, user.id, leads);
    for (let run = 0; run < 5; run += 1) {
      const steps = ENRICHMENT_STEPS.filter(() => random(3) > 0);
      if (steps.length === 0) continue;
      const { quote, paid } = await quoted(user, listId, steps);
      expect(paid, steps.join()).toBeLessThanOrEqual(quote.boundMicros);
    }
    // All that can be known is known now, and the same again is free and said to be.
    const all: EnrichmentStep[] = ['hunter', 'verifier'];
    await quoted(user, listId, all);
    const { quote, paid } = await quoted(user, listId, all);
    expect({ ...quote, paid }).toMatchObject({ toLookUp: 0, toVerify: 0, boundMicros: 0, paid: 0 });
    await quoted(user, listId, [...ENRICHMENT_STEPS]);
    const again = await quoted(user, listId, [...ENRICHMENT_STEPS]);
    expect({ ...again.quote, paid: again.paid }).toMatchObject({ toVerify: 0, boundMicros: 0, paid: 0 });
  },
);

test('a lead whose domain Hunter has told nothing of is no email that may be found', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-quote-nothing');
  const sites = Array.from({ length: 12 }, (_, at) => ({ website: `https://www.told${at}.example/` }));
  const listId = await buildListOf(product.db, user.id, sites);
  const first = await quoted(user, listId, ['hunter', 'verifier']);
  expect(first.quote).toMatchObject({ toLookUp: 12, toVerify: 12 });
  const { emailsAdded } = EnrichmentTotals.parse(first.run?.totals);
  // Some have none, or this would show nothing.
  expect(emailsAdded).toBeLessThan(12);
  const second = await quoted(user, listId, ['hunter', 'verifier']);
  expect(second.quote).toMatchObject({ toLookUp: 0, known: 12, toVerify: 0, boundMicros: 0 });
});

test('what was not verified because of the suppression list is counted in emails', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-quote-held');
  const held = { phone: '+1 217-555-0188' };
  const listId = await buildListOf(product.db, user.id, [
    { email: 'a@held.example' },
    { ...held, email: 'b@held.example' },
    { ...held, email: 'B@held.example' },
    { ...held, email: null },
    { ...held, email: 'a@held.example' },
  ]);
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: held.phone });
  const { run } = await quoted(user, listId, ['verifier']);
  expect(EnrichmentTotals.parse(run?.totals)).toMatchObject({ suppressed: 4, emailsSuppressed: 1, emailsVerified: 1 });
});

test('leads that have an email of their website, and no owner, get owners of Hunter for what was quoted', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-quote-owners');
  const leads = Array.from({ length: 12 }, (_, at) => ({
    website: `https://www.owner${at}.example/`,
    email: `desk@owner${at}.example`,
    sources: JSON.stringify({ email: 'website' }),
  }));
  const listId = await buildListOf(product.db, user.id, leads);
  const all = await user.call(estimateEnrichmentEndpoint, { list_id: listId, steps: ['open', 'website', 'hunter'] });
  expect(all).toMatchObject({ toLookUp: 0, foundFree: 12, boundMicros: 0 });
  const { quote, paid } = await quoted(user, listId, ['hunter']);
  expect(quote).toMatchObject({ toLookUp: 12, boundMicros: 12 * 50_000 });
  expect(paid).toBeGreaterThan(0);
  expect(paid).toBeLessThanOrEqual(quote.boundMicros);
  const stored = await readLeads(product.db, listId);
  expect(stored.filter(({ owner_name }) => owner_name !== null).length).toBeGreaterThan(2);
  expect(stored.every(({ email }) => email !== null)).toBe(true);
});
