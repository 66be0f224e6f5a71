import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { domainSearchOperation as operation } from '#server/features/enrichment/domain-search-operation.ts';
import { buildHeldRun } from '#test/held-run.ts';
import { readCalls } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';
import { batchSteps } from './departure/batched-steps.ts';
import { settleCalls } from './ledger/settle-calls.ts';
import { withMeanwhile } from './meanwhile.ts';
import type { Purchase } from './operation.ts';

const OWNER = '00000000-0000-4000-8000-00000000000a';
const SUBJECT = 'late.example';
type Answer = NonNullable<ReturnType<typeof operation.readAnswer>>;
const GONE = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});

test.each([
  ['in an outage that is over', GONE],
  ['for good', new Error('refused')],
])('an answer is booked at once when what came before it could not be stored %s', async (_when, failure) => {
  const { user, context, steps } = await buildHeldRun({ product, owner: OWNER, boundMicros: 1_000_000 });
  const { calls } = await steps.begin({ subjects: [SUBJECT], round: 0 });
  await steps.book({ calls, batchId: null });
  const answer: Answer = { contacts: [] };
  const bought = new Map([[SUBJECT, { answer, costMicros: 0, rememberMs: 'for good' as const }]]);
  const asked: unknown[] = [];
  const settling = withMeanwhile(product.deps.log, async (meanwhile) => {
    meanwhile.begin(() => Promise.reject(failure));
    await meanwhile.done().catch(() => {});
    const purchase: Purchase<Answer> = {
      operation,
      subjects: [SUBJECT],
      send: async () => bought,
      storing: () => [sql`select 1 / 0`],
      next: (had) => void asked.push(had),
      meanwhile,
    };
    await settleCalls(context, purchase, calls, bought, batchSteps(context, purchase).settle);
  });
  await expect(settling).rejects.toBe(failure);
  expect((await readCalls(product.db, user.id)).map(({ state }) => state)).toEqual(['answered']);
  const { rows } = await sql`select from app.answers where user_id = ${user.id} and subject = ${SUBJECT}`.execute(
    product.db,
  );
  expect(rows).toHaveLength(1);
  expect(asked).toEqual([]);
});

test('what could not be stored is logged when its work ends for another reason', async () => {
  const working = withMeanwhile(product.deps.log, async (meanwhile) => {
    meanwhile.begin(() => Promise.reject(new Error('no leads today')));
    throw new Error('the key was refused');
  });
  await expect(working).rejects.toThrow('the key was refused');
  expect(product.log.filter((line) => line.includes('no leads today'))).toHaveLength(1);
});
