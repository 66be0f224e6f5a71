import type { Change } from './change.ts';
import type { Subscribers } from './subscribers.ts';
import type { Subscription } from './subscription.ts';

/** Changes that are looked at together, and whom they may concern. */
export type Batch = { changes: readonly Change[]; subscriptions: readonly Subscription[] };

/** Rows with which a batch is full. Each person's rows stay together, so that it may have more. */
const FULL_ROWS = 100;
/** Filters with which a batch is full: each of them is applied to all of its rows. */
const FULL_FILTERS = 50;

/**
 * Divides changes so that only those are asked about a row whom it may concern. Everything that one person may be told is in one batch, in
 * order; a change without an owner may concern everybody.
 */
export function* batchesOf(changes: readonly Change[], subscribers: Subscribers): Generator<Batch> {
  if (changes.some(({ owner }) => owner === null)) return yield { changes, subscriptions: subscribers.all() };
  let batch: { changes: Change[]; subscriptions: Subscription[] } = { changes: [], subscriptions: [] };
  for (const [owner, own] of Map.groupBy(changes, (change) => change.owner ?? '')) {
    const subscriptions = subscribers.of(owner);
    if (subscriptions.length === 0) continue;
    batch.changes.push(...own);
    batch.subscriptions.push(...subscriptions);
    if (!isFull(batch)) continue;
    yield batch;
    batch = { changes: [], subscriptions: [] };
  }
  if (batch.changes.length > 0) yield batch;
}

const isFull = ({ changes, subscriptions }: Batch) =>
  changes.reduce((sum, { ids }) => sum + ids.length, 0) >= FULL_ROWS ||
  subscriptions.filter(({ filter }) => filter).length >= FULL_FILTERS;
