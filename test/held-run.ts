import { sql } from 'kysely';
import { domainSearchOperation } from '#server/features/enrichment/domain-search-operation.ts';
import { batchSteps } from '#server/paid-calls/departure/batched-steps.ts';
import { createWaits } from '#server/paid-calls/departure/waits.ts';
import type { PayContext } from '#server/paid-calls/operation.ts';
import { buildListOf } from './lists.ts';
import type { Product } from './product.ts';

/** An enrichment that the process `owner` has worked on for 20 s, with a lease for a minute and the steps of its calls. */
export async function buildHeldRun({
  product,
  owner,
  boundMicros,
}: {
  product: Product;
  owner: string;
  boundMicros: number;
}) {
  const user = await product.user();
  const listId = await buildListOf(product.db, user.id, []);
  const { id: runId } = await product.db
    .insertInto('app.runs')
    .values({
      user_id: user.id,
      list_id: listId,
      list_name: 'Held',
      kind: 'enrichment',
      input: '{}',
      sandbox: true,
      state: 'running',
      bound_micros: boundMicros,
      lease_owner: owner,
      started_at: sql<Date>`now() - interval '20 s'`,
      lease_expires_at: sql<Date>`now() + interval '1 minute'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const run = { id: runId, userId: user.id, sandbox: true, input: {}, totals: {} };
  const key = { apiKey: '', fingerprint: runId, sandbox: true };
  const { signal } = new AbortController();
  const context: PayContext = { deps: product.workerDeps, run, owner, key, waits: createWaits(), signal };
  return { user, runId, context, steps: batchSteps(context, { operation: domainSearchOperation }) };
}
