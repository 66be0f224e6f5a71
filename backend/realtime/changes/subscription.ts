import type { Channel } from '#backend/realtime/channel.ts';
import type { RealtimeOptions } from '#backend/realtime/options.ts';
import { Refusal } from '#backend/realtime/refusal.ts';
import type { Binding } from './binding.ts';
import { type RowFilter, readFilter } from './filter.ts';
import type { WatchedTable } from './watched-tables.ts';

/** What a channel wants to be told of. */
export type Subscription = {
  /** The client finds its callback by it. */
  id: number;
  channel: Channel;
  event: Binding['event'];
  tables: readonly WatchedTable[];
  filter: RowFilter | undefined;
  /** The columns that are told; all without it. */
  select: ReadonlySet<string> | undefined;
};

let lastId = 0;

/**
 * What a binding asks for.
 * @throws Refusal for a table that is not watched, a filter or a column that it does not know
 */
export async function readBinding(
  options: Pick<RealtimeOptions, 'pool'>,
  watched: readonly WatchedTable[],
  channel: Channel,
  { event, schema, table, filter: text, select }: Binding,
): Promise<Subscription> {
  const tables = watched.filter(
    (one) => (schema === '*' || one.schema === schema) && (!table || table === '*' || one.table === table),
  );
  const [only, another] = tables;
  if (!only) throw new Refusal('RealtimeDisabledForConfiguration', `changes of ${schema}.${table ?? '*'} are not told`);
  if (text && another) throw new Refusal('InvalidFilter', 'a filter needs a table');
  const unknown = select?.find((name) => !tables.every(({ columns }) => columns.some((one) => one.name === name)));
  if (unknown !== undefined) throw new Refusal('InvalidColumn', `column ${unknown} does not exist in ${only.name}`);
  const filter = text ? await readFilter(options, only, text) : undefined;
  lastId += 1;
  return { id: lastId, channel, event, tables, filter, select: select && new Set(select) };
}
