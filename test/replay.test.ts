import { expect, test } from 'vitest';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { startProduct } from './product.ts';
import { type Actor, replay } from './replay.ts';

test('days of work with overlapping lists pay for nothing twice, and what that saved is what it is said to have', async () => {
  const product = await startProduct();
  const actors = await Promise.all(
    ['one', 'two'].map(async (name): Promise<Actor> => {
      const user = await product.user(name);
      const connect = (provider: 'google_places' | 'hunter_io' | 'searchbug') =>
        user.connect(provider, `sandbox-replay-${name}`);
      await Promise.all([connect('google_places'), connect('hunter_io'), connect('searchbug')]);
      return {
        userId: user.id,
        search: (list_id, query) =>
          user.call(searchLeadsEndpoint, {
            query,
            location: 'Springfield, IL',
            list_id,
            radius: 40_234,
            maxResults: 60,
          }),
        enrich: (list_id) => user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] }),
        check: (list_id) => user.call(checkComplianceEndpoint, { list_id }),
      };
    }),
  );
  const figures = await replay(product.db, actors, { days: 3, leadsADay: 5, overlap: 0.4, sandbox: true });
  expect(figures.paidTwice).toBe(0);
  expect(figures.saved).toBeGreaterThan(0);
  expect(figures.saved).toBe(figures.withoutMemory - figures.spent);
  expect(figures.spent).toBe(product.sandbox.meter.totals().micros);
  for (const { key, subjects, calls } of product.sandbox.meter.rows().filter(({ provider }) => provider === 'hunter'))
    expect([key, calls]).toEqual([key, subjects]);
}, 60_000);
