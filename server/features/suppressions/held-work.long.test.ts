import { beforeAll, expect, test, vi } from 'vitest';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

test.each([
  ['hunter_io', 'hunter', 60],
  ['searchbug', 'searchbug', 100],
] as const)('who is erased while a run of %s works is not asked about anymore', async (id, name, count) => {
  const admin = await product.admin();
  // Hunter's limits take seconds by themselves; an erasure may take longer than SearchBug's five batches would.
  const user = await product.user();
  const key = `sandbox-held-${name}${id === 'searchbug' ? '-slow-later' : ''}`;
  await user.connect(id, key);
  const area = id === 'hunter_io' ? '307' : '308';
  const leads = Array.from({ length: count }, (_, at) => ({
    phone: `+1 ${area}-555-01${String(at).padStart(2, '0')}`,
    website: `https://gone${at}.example`,
  }));
  const list_id = await buildListOf(product.db, user.id, leads);
  const isHunter = id === 'hunter_io';
  const run = isHunter
    ? user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] })
    : user.call(checkComplianceEndpoint, { list_id });
  const asked = () =>
    [...product.sandbox.meter.callsBySubject(name, key).keys()].flatMap((subject) => subject.split(','));
  await vi.waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 10_000 });
  await admin.call(eraseContactEndpoint, { kind: 'phone', value: `+1${area}55501${count - 1}` });
  await run;
  expect(asked()).not.toContain(isHunter ? `gone${count - 1}.example` : `${area}55501${count - 1}`);
  expect(asked()).toHaveLength(count - 1);
});
