import type { Change } from './change.ts';
import type { Subscribers } from './subscribers.ts';
import type { Subscription } from './subscription.ts';

/** Changes that are looked at together, and whom they may concern. */
export type Batch = { changes: readonly Change[]; subscriptions: readonly Subscription[] };

/** Rows with which a batch is full. Each person's rows stay together, so that it may have more. */
const FULL_ROWS = 100;

/**
 * Divides changes so that only those are asked about a row whom it may concern. Everything that one person may be told is in one batch, in
 * order; a change without an owner may concern everyone. People with filters have lanes of their own instead.
 */
export function* batchesOf(changes: readonly Change[], subscribers: Subscribers): Generator<Batch> {
  if (changes.some(({ owner }) => owner === null)) {
    const subscriptions = [...subscribers.people()]
      .filter((one) => !subscribers.hasFilters(one))
      .flatMap(subscribers.of);
    return yield { changes, subscriptions };
  }
  let batch: { changes: Change[]; subscriptions: Subscription[] } = { changes: [], subscriptions: [] };
  for (const [owner, own] of Map.groupBy(changes, (change) => change.owner ?? '')) {
    const subscriptions = subscribers.of(owner);
    if (subscriptions.length === 0 || subscribers.hasFilters(owner)) continue;
    batch.changes.push(...own);
    batch.subscriptions.push(...subscriptions);
    if (!isFull(batch)) continue;
    yield batch;
    batch = { changes: [], subscriptions: [] };
  }
  if (batch.changes.length > 0) yield batch;
}

const isFull = ({ changes }: Batch) => changes.reduce((sum, { ids }) => sum + ids.length, 0) >= FULL_ROWS;

/** What each person with filters may be told. */
export function* forLanes(
  changes: readonly Change[],
  subscribers: Subscribers,
): Generator<[userId: string, changes: readonly Change[]]> {
  const isForAll = changes.some(({ owner }) => owner === null);
  const concerned = isForAll ? subscribers.people() : new Set(changes.map(({ owner }) => owner ?? ''));
  for (const one of concerned)
    if (subscribers.hasFilters(one)) yield [one, changes.filter(({ owner }) => owner === null || owner === one)];
}
