import { expect, test } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { cancelRunEndpoint } from '#contract/work/runs.ts';
import { buildListOf, readList, readRuns } from '#test/lists.ts';
import { setUpLifecycle, sites } from '#test/many/run-lifecycle.ts';

const life = setUpLifecycle();

test('a press while the canceled run is still ending begins a new one, and no budget holds anything for the old one', async () => {
  const { user, key } = await life.userWithKeys('-slow');
  const { db } = life.product;
  const worker = await life.product.process();
  const list_id = await buildListOf(db, user.id, sites(100));
  const limit_micros = 160 * 50_000;
  await db
    .insertInto('app.budgets')
    .values({ user_id: user.id, budget: 'month', set_by: 'user', limit_micros })
    .execute();
  const press = () => user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] });
  const first = press().catch((error: unknown) => error);
  await expect.poll(() => life.asked(key).size, { timeout: 10_000 }).toBeGreaterThan(0);
  const [run] = await readRuns(db, user.id);
  await user.call(cancelRunEndpoint, undefined, { id: run?.id ?? '' });
  const again = press();
  const once = press();
  expect(await first).toMatchObject({ code: 'RUN_CANCELLED' });
  expect(await again).toMatchObject({ total_domains_processed: 100 });
  expect(await once).toEqual(await again);
  expect((await readRuns(db, user.id)).map(({ state }) => state)).toEqual(['cancelled', 'completed']);
  expect([...life.asked(key).values()]).toEqual(Array(100).fill(1));
  expect((await readList(db, list_id)).status).toBe('completed');
  await worker.stop();
}, 60_000);
