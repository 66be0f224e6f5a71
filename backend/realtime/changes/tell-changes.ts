import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Channel } from '#backend/realtime/channel.ts';
import type { RealtimeOptions } from '#backend/realtime/options.ts';
import { type Batch, batchesOf, forLanes } from './batches.ts';
import type { Change } from './change.ts';
import type { Lanes } from './lanes.ts';
import { type ChangedRows, readChanged } from './read-changed.ts';
import { channelsOf, type Subscribers } from './subscribers.ts';
import type { Subscription } from './subscription.ts';
import { tellRow } from './tell-row.ts';
import type { WatchedTable } from './watched-tables.ts';

type Options = Pick<RealtimeOptions, 'pool' | 'log'>;
type FellBehind = (channel: Channel) => void;

/** So that PostgreSQL answers about some while others are told; each takes a connection. */
const BATCHES_AT_ONCE = 2;
/** Rows that are told before others have their turn, but for those of one change. */
const ROWS_AT_ONCE = 50;

/**
 * Tells subscribers of changes, and resolves when those without filters have been told; `lanes` tell the others. `fellBehind`: of a
 * channel that something could not be told.
 */
export async function tellChanges(
  options: Options,
  changes: readonly Change[],
  subscribers: Subscribers,
  lanes: Lanes,
  fellBehind: FellBehind,
): Promise<void> {
  for (const [userId, own] of forLanes(changes, subscribers))
    if (!lanes.add(userId, own)) for (const channel of channelsOf(subscribers.of(userId))) fellBehind(channel);
  const batches = batchesOf(changes, subscribers);
  const work = async () => {
    for (const batch of batches) await tellBatch(options, batch, subscribers.forget, fellBehind);
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, work));
}

/** Tells the people of a batch, or makes them join again. */
export async function tellBatch(
  options: Options,
  batch: Batch,
  forget: Subscribers['forget'],
  fellBehind: FellBehind,
): Promise<void> {
  try {
    await tryToTell(options, batch, forget);
  } catch (error) {
    options.log.warn({ err: error }, 'changes not sent');
    for (const channel of channelsOf(batch.subscriptions)) fellBehind(channel);
  }
}

type Told = ChangedRows & { table: WatchedTable; subscriptions: readonly Subscription[] };

async function tryToTell(
  options: Options,
  { changes, subscriptions: all }: Batch,
  forget: Subscribers['forget'],
): Promise<void> {
  const byTable = new Map<string, Told>();
  const tables = new Map(all.flatMap((one) => one.tables.map((table) => [table.name, table])));
  for (const table of tables.values()) {
    const own = changes.filter((change) => change.table === table.name);
    const subscriptions = all.filter((one) => one.tables.some(({ name }) => name === table.name));
    if (own.length === 0) continue;
    byTable.set(table.name, {
      table,
      subscriptions,
      ...(await readChanged(options, table, own, subscriptions, forget)),
    });
  }
  let rows = 0;
  for (const change of changes) {
    const told = byTable.get(change.table);
    if (!told) continue;
    for (const id of change.ids) tellChange(told, change, id);
    rows += change.ids.length;
    if (rows < ROWS_AT_ONCE) continue;
    rows = 0;
    // Lets what was written leave, and others have their turn.
    await nextTurn();
  }
}

function tellChange({ table, subscriptions, records, viewers }: Told, change: Change, id: string): void {
  const wants = ({ event }: Subscription) => event === '*' || event === change.type;
  const owns = ({ channel }: Subscription) => channel.caller.userId === change.owner;
  if (change.type === 'DELETE') {
    const owners = subscriptions.filter((one) => wants(one) && owns(one));
    tellRow(table, { ...change, id, record: {} }, owners);
    return;
  }
  const record = records.get(id);
  if (!record) return;
  const concerned = [...(viewers.get(id) ?? [])].filter((one) => wants(one) && (change.owner === null || owns(one)));
  tellRow(table, { ...change, id, record }, concerned);
}
