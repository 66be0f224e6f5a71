import type { Channel } from '#backend/realtime/channel.ts';
import type { Subscription } from './subscription.ts';
import type { WatchedTable } from './watched-tables.ts';

type ChangedRow = { type: 'INSERT' | 'UPDATE' | 'DELETE'; at: string; id: string; record: Record<string, unknown> };

/** Tells subscribers of one row: one message for each channel and selection of columns, naming the subscriptions that it answers. */
export function tellRow(table: WatchedTable, row: ChangedRow, subscriptions: readonly Subscription[]): void {
  const messages = new Map<Channel, Map<string, Subscription[]>>();
  const data = new Map<string, object>();
  const now = Date.now();
  for (const one of subscriptions) {
    const { channel, select } = one;
    // It may have been left, or taken away, while the row was read, and what has run out is not taken away at once.
    if (channel.peer.channels.get(channel.topic) !== channel || channel.expiresAt <= now) continue;
    const key = [...(select ?? [])].join();
    if (!data.has(key)) data.set(key, dataOf(table, row, select));
    const ofChannel = messages.get(channel) ?? new Map<string, Subscription[]>();
    messages.set(channel, ofChannel.set(key, [...(ofChannel.get(key) ?? []), one]));
  }
  for (const [channel, bySelection] of messages)
    for (const [key, same] of bySelection) {
      const payload = { ids: same.map(({ id }) => id), data: data.get(key) };
      channel.peer.send({ joinRef: null, ref: null, topic: channel.topic, event: 'postgres_changes', payload });
    }
}

/** The old row is told by its key only, as hosted under row-level security. */
function dataOf(table: WatchedTable, { type, at, id, record }: ChangedRow, select: Subscription['select']) {
  const columns = table.columns.filter(({ name }) => select?.has(name) ?? true);
  return {
    schema: table.schema,
    table: table.table,
    commit_timestamp: at,
    type,
    errors: null,
    columns: columns.map(({ name, type }) => ({ name, type })),
    ...(type === 'DELETE' ? {} : { record: Object.fromEntries(columns.map(({ name }) => [name, record[name]])) }),
    ...(type === 'INSERT' ? {} : { old_record: { id } }),
  };
}
