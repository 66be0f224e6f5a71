import { beforeAll, expect, test } from 'vitest';
import { estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { buildListOf } from '#test/lists.ts';
import { loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, startProduct } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const places = Array.from({ length: 3 }, (_, at) => ({
    id: `sandbox-${at}`,
    name: `Quay ${at}`,
    category: 'dentist',
    latitude: 39.8,
    longitude: -89.65,
    phone: `+1 217-555-011${at}`,
    email: `open${at}@verifier-quote.example`,
  }));
  await loadCsv(product.url, places, { source: 'verifier' });
});

async function toVerify(leads: readonly object[], steps: EnrichmentStep[]): Promise<number> {
  const user = await product.user();
  const listId = await buildListOf(product.db, user.id, leads);
  return (await user.call(estimateEnrichmentEndpoint, { list_id: listId, steps: [...steps, 'verifier'] })).toVerify;
}

const website = 'https://www.verifier-quote.example/';
const withEmail = (source?: string) => ({
  website,
  email: 'desk@verifier-quote.example',
  sources: JSON.stringify(source ? { email: source } : {}),
});
const without = { website };

test.each<[string, EnrichmentStep[], number]>([
  // Hunter's email takes no place of one of a file, and of a free one only where it alone is asked.
  ['file', ['hunter'], 1],
  ['file:open:1', ['hunter'], 1],
  ['website', ['hunter'], 2],
  ['website', ['website', 'hunter'], 1],
  ['', ['hunter'], 2],
  ['', ['website', 'hunter'], 2],
])('beside an email of “%s”, %j counts as many as it may bring: %i', async (source, steps, most) => {
  expect(await toVerify([withEmail(source)], steps)).toBe(most);
});

test('an email of a website or of Hunter is one for all leads of its domain', async () => {
  expect(await toVerify([without, without, without], ['website', 'hunter'])).toBe(1);
  expect(await toVerify([withEmail(), without, without], ['hunter'])).toBe(2);
  const below = { website: 'https://agent.verifier-quote.example/' };
  expect(await toVerify([below, below, without], ['website', 'hunter']), 'each site may have its own').toBe(2);
  expect(await toVerify([below, below, without], ['hunter'])).toBe(1);
  expect(await toVerify([withEmail('file'), without], ['website', 'hunter'])).toBe(2);
});

test('open data may have another email for each of them', async () => {
  const known = [0, 1, 2].map((at) => ({ ...without, business_name: `Quay ${at}`, phone: `+1 217-555-011${at}` }));
  expect(await toVerify([...known, without], ['open', 'website', 'hunter'])).toBe(4);
  expect(await toVerify([...known, without, without], ['open', 'hunter'])).toBe(4);
  expect(await toVerify([...known, without, without], ['open'])).toBe(3);
});
