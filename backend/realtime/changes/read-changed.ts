import { tellSystem } from '#backend/realtime/channel.ts';
import type { RealtimeOptions } from '#backend/realtime/options.ts';
import type { Change } from './change.ts';
import type { RowFilter } from './filter.ts';
import { findVisible } from './find-visible.ts';
import { type Row, readRows } from './read-rows.ts';
import type { Subscription } from './subscription.ts';
import type { WatchedTable } from './watched-tables.ts';

/** Written rows of a table as they are now, and the subscriptions of those who see them, by id. */
export type Changed = { rows: Map<string, Row>; viewers: Map<string, Set<Subscription>> };

/** Rows that are looked at in one statement. */
const ROWS_AT_ONCE = 500;

/** Reads what was inserted and updated. Of a row with an owner nobody else is asked. */
export async function readChanged(
  options: Pick<RealtimeOptions, 'pool' | 'log'>,
  table: WatchedTable,
  changes: readonly Change[],
  subscriptions: readonly Subscription[],
): Promise<Changed> {
  const changed: Changed = { rows: new Map(), viewers: new Map() };
  for (const part of partsOf(changes.filter(({ type }) => type !== 'DELETE'))) {
    const questions = questionsOf(part, subscriptions);
    const [rows, answers] = await Promise.all([
      readMatching(options, table, idsOf(part), subscriptions),
      findVisible(options, table, questions),
    ]);
    for (const [id, row] of rows) changed.rows.set(id, row);
    for (const { question, id } of answers) {
      const viewers = changed.viewers.get(id) ?? new Set();
      for (const one of questions[question]?.subscriptions ?? []) viewers.add(one);
      changed.viewers.set(id, viewers);
    }
  }
  return changed;
}

/** One for the rows of each owner and the claims of each of their tokens. */
function questionsOf(changes: readonly Change[], subscriptions: readonly Subscription[]) {
  const byPerson = Map.groupBy(subscriptions, ({ channel }) => channel.caller.userId);
  return [...Map.groupBy(changes, ({ owner }) => owner)].flatMap(([owner, own]) => {
    const ids = idsOf(own);
    const asked = owner === null ? subscriptions : (byPerson.get(owner) ?? []);
    const byClaims = Map.groupBy(asked, ({ channel }) => JSON.stringify(channel.caller.claims));
    return [...byClaims].map(([claims, same]) => ({ ids, claims, subscriptions: same }));
  });
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

const idsOf = (changes: readonly Change[]) => [...new Set(changes.flatMap(({ ids }) => ids))];

function* partsOf(changes: readonly Change[]): Generator<Change[]> {
  let part: Change[] = [];
  let rows = 0;
  for (const change of changes) {
    rows += change.ids.length;
    if (rows > ROWS_AT_ONCE && part.length > 0) {
      yield part;
      [part, rows] = [[], change.ids.length];
    }
    part.push(change);
  }
  if (part.length > 0) yield part;
}
