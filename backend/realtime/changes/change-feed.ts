import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod/mini';
import { type Channel, tellSystem } from '#backend/realtime/channel.ts';
import type { RealtimeOptions } from '#backend/realtime/options.ts';
import { parseJson } from '#backend/realtime/wire/parse-json.ts';
import type { RowFilter } from './filter.ts';
import { findVisible, type Row, readRows } from './read-rows.ts';
import type { Subscription } from './subscription.ts';
import { tellRow } from './tell-row.ts';
import type { WatchedTable } from './watched-tables.ts';

/** What PostgreSQL tells of a statement. `owner` only of deleted rows, of which nothing else is left. */
const Change = z.object({
  table: z.string(),
  type: z.enum(['INSERT', 'UPDATE', 'DELETE']),
  at: z.string(),
  owner: z.nullable(z.string()),
  ids: z.array(z.string()),
});
type Change = z.infer<typeof Change>;

/** What one transaction changes arrives in several notifications. */
const GATHER_MS = 10;
/** Rows that are looked at in one statement. */
const ROWS_AT_ONCE = 500;

export type ChangeFeed = {
  add(subscriptions: readonly Subscription[]): void;
  /** Forgets what a channel has subscribed to. */
  remove(channel: Channel): void;
  /** The names of the tables with subscribers. */
  tables(): Set<string>;
  stop(): void;
};

/**
 * Tells subscribers what was changed, in the order of the changes. A row is told as it is when it is read, to whom row-level security
 * shows it then; of what is deleted its owner is told the id.
 */
export function startChangeFeed(
  options: Pick<RealtimeOptions, 'pool' | 'notifications' | 'log'>,
  fellBehind: (channel: Channel) => void,
): ChangeFeed {
  const { notifications, log } = options;
  const byChannel = new Map<Channel, readonly Subscription[]>();
  let waiting: Change[] = [];
  let timer: NodeJS.Timeout | undefined;
  let busy = false;

  const subscribed = () => [...byChannel.values()].flat();
  const schedule = () => {
    if (!busy && waiting.length > 0) timer ??= setTimeout(() => void flush(), GATHER_MS);
  };
  const flush = async () => {
    timer = undefined;
    busy = true;
    const changes = waiting;
    waiting = [];
    const subscriptions = subscribed();
    try {
      await tellChanges(options, changes, subscriptions);
    } catch (error) {
      log.warn({ err: error }, 'changes not told');
      for (const channel of new Set(subscriptions.map((one) => one.channel))) fellBehind(channel);
    }
    busy = false;
    schedule();
  };
  const forget = [
    notifications.on('realtime_change', (text) => {
      if (byChannel.size === 0) return;
      const { data: change } = Change.safeParse(parseJson(text));
      if (change) waiting.push(change);
      schedule();
    }),
    // What was changed meanwhile is not known: whoever joins again reads again.
    notifications.onReconnect(() => {
      for (const channel of [...byChannel.keys()]) fellBehind(channel);
    }),
  ];
  return {
    add(subscriptions) {
      for (const one of subscriptions) byChannel.set(one.channel, [...(byChannel.get(one.channel) ?? []), one]);
    },
    remove: (channel) => void byChannel.delete(channel),
    tables: () => new Set(subscribed().flatMap(({ tables }) => tables.map(({ name }) => name))),
    stop() {
      clearTimeout(timer);
      for (const one of forget) one();
    },
  };
}

type Subscribers = {
  table: WatchedTable;
  subscriptions: readonly Subscription[];
  bySession: ReadonlyMap<string, readonly Subscription[]>;
  rows: Map<string, Row>;
  /** The sessions that see each row. */
  seenBy: Map<string, Set<string>>;
};

async function tellChanges(
  options: Pick<RealtimeOptions, 'pool' | 'log'>,
  changes: readonly Change[],
  all: readonly Subscription[],
): Promise<void> {
  const byTable = new Map<string, Subscribers>();
  for (const table of new Map(all.flatMap((one) => one.tables.map((table) => [table.name, table]))).values()) {
    const own = changes.filter((change) => change.table === table.name);
    const subscriptions = all.filter((one) => one.tables.some(({ name }) => name === table.name));
    if (own.length > 0) byTable.set(table.name, await readChanged(options, table, own, subscriptions));
  }
  for (const change of changes) {
    const subscribers = byTable.get(change.table);
    if (!subscribers) continue;
    for (const id of change.ids) tellChange(subscribers, change, id);
    // Lets what was written leave, and others have their turn.
    await nextTurn();
  }
}

function tellChange({ table, subscriptions, bySession, rows, seenBy }: Subscribers, change: Change, id: string): void {
  const wants = ({ event }: Subscription) => event === '*' || event === change.type;
  if (change.type === 'DELETE') {
    const owners = subscriptions.filter((one) => wants(one) && one.channel.caller.userId === change.owner);
    tellRow(table, { ...change, id, record: {} }, owners);
    return;
  }
  const row = rows.get(id);
  if (!row) return;
  const viewers = [...(seenBy.get(id) ?? [])].flatMap((sessionId) => bySession.get(sessionId) ?? []);
  const concerned = viewers.filter((one) => wants(one) && (!one.filter || row.passes.has(one.filter.text)));
  tellRow(table, { ...change, id, record: row.record }, concerned);
}

async function readChanged(
  options: Pick<RealtimeOptions, 'pool' | 'log'>,
  table: WatchedTable,
  changes: readonly Change[],
  subscriptions: readonly Subscription[],
): Promise<Subscribers> {
  const bySession = Map.groupBy(subscriptions, ({ channel: { caller } }) => caller.sessionId);
  const subscribers: Subscribers = { table, subscriptions, bySession, rows: new Map(), seenBy: new Map() };
  const written = new Set(changes.filter(({ type }) => type !== 'DELETE').flatMap(({ ids }) => ids));
  for (const ids of partsOf([...written], ROWS_AT_ONCE)) {
    const [rows, seenBy] = await Promise.all([
      readMatching(options, table, ids, subscriptions),
      findViewers(options, table, ids, subscriptions),
    ]);
    for (const [id, row] of rows) subscribers.rows.set(id, row);
    for (const [id, sessions] of seenBy) subscribers.seenBy.set(id, sessions);
  }
  return subscribers;
}

async function readMatching(
  options: Pick<RealtimeOptions, 'pool' | 'log'>,
  table: WatchedTable,
  ids: readonly string[],
  subscriptions: readonly Subscription[],
) {
  const filters = new Map(subscriptions.flatMap(({ filter }) => (filter ? [[filter.text, filter] as const] : [])));
  return readRows(options, table, ids, [...filters.values()], (broken: RowFilter, error) => {
    options.log.warn({ err: error }, 'a filter of changes failed');
    const message = 'The filter could not be applied to a changed row.';
    for (const { filter, channel } of subscriptions)
      if (filter?.text === broken.text)
        tellSystem(channel, { extension: 'postgres_changes', status: 'error', message });
  });
}

/** The sessions that see each of the rows. */
async function findViewers(
  options: Pick<RealtimeOptions, 'pool'>,
  table: WatchedTable,
  ids: readonly string[],
  subscriptions: readonly Subscription[],
): Promise<Map<string, Set<string>>> {
  const callers = [...new Map(subscriptions.map(({ channel: { caller } }) => [caller.sessionId, caller])).values()];
  const seenBy = new Map<string, Set<string>>();
  const claims = callers.map((caller) => caller.claims);
  for (const { person, id } of await findVisible(options, table, ids, claims)) {
    const caller = callers[person];
    if (caller) seenBy.set(id, (seenBy.get(id) ?? new Set()).add(caller.sessionId));
  }
  return seenBy;
}

function* partsOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
