import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { renewLease, type Standing } from '#server/runs/run-lease.ts';
import { buildHeldRun } from '#test/held-run.ts';
import { type Product, startProduct } from '#test/product.ts';
import { setTotals } from './totals.ts';

const OWNER = '00000000-0000-4000-8000-00000000000a';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});

test('open pages are told of a run when it has changed, and not when it is merely kept', async () => {
  const heard: string[] = [];
  product.deps.notifications.on('list_changed', (payload) => heard.push(payload.split(' ')[2] ?? 'list'));
  const { user, runId } = await buildHeldRun({ product, owner: OWNER, boundMicros: 0 });
  const keep = (standing: Standing) => renewLease(product.workerDeps.db, runId, OWNER, standing);
  const holder = {
    run: { id: runId, userId: user.id, listId: null, sandbox: true, input: {}, totals: {} },
    owner: OWNER,
  };
  // Sent last, so that everything before it has been heard.
  const heardSoFar = async () => {
    await sql`select pg_notify('list_changed', 'nobody no-list last')`.execute(product.db);
    await expect.poll(() => heard.at(-1)).toBe('last');
    return heard.splice(0).slice(0, -1);
  };
  expect(await heardSoFar()).toEqual(['list', runId]);

  const wait = { reason: 'limit', until: new Date() } as const;
  for (const moved of [true, false]) await keep({ moved, wait: undefined });
  expect(await heardSoFar()).toEqual([]);
  for (const moved of [true, false]) await keep({ moved, wait });
  expect(await heardSoFar()).toEqual([runId]);
  for (let time = 0; time < 2; time += 1) await setTotals(product.db, holder, { found: 1 });
  expect(await heardSoFar()).toEqual([runId]);
});
