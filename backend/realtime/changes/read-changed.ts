import { tellSystem } from '#backend/realtime/channel.ts';
import type { RealtimeOptions } from '#backend/realtime/options.ts';
import type { Change } from './change.ts';
import type { RowFilter } from './filter.ts';
import { findVisible } from './find-visible.ts';
import { isCancelled, readAroundBrokenFilters } from './read-around-broken-filters.ts';
import { readRows } from './read-rows.ts';
import type { Subscription } from './subscription.ts';
import type { WatchedTable } from './watched-tables.ts';

/** Written rows of a table as they are now, and the subscriptions of those who see them and whose filter they pass, by id. */
export type ChangedRows = { records: Map<string, Record<string, unknown>>; viewers: Map<string, Set<Subscription>> };

/** Rows that are looked at in one statement. */
const ROWS_AT_ONCE = 500;

/** Reads what was inserted and updated. Of a row with an owner no one else is asked. `forget`: what is not to be told any more. */
export async function readChanged(
  options: Pick<RealtimeOptions, 'pool' | 'log'>,
  table: WatchedTable,
  changes: readonly Change[],
  subscriptions: readonly Subscription[],
  forget: (subscription: Subscription) => void,
): Promise<ChangedRows> {
  const changed: ChangedRows = { records: new Map(), viewers: new Map() };
  for (const part of partsOf(changes.filter(({ type }) => type !== 'DELETE'))) {
    const [sights, unfiltered] = await Promise.all([
      findSights(options, table, questionsOf(part, subscriptions)),
      // Which rows a filter may be applied to has to be known first.
      subscriptions.some(({ filter }) => filter) ? undefined : readRows(options.pool, table, idsOf(part), []),
    ]);
    const ids = [...new Set(sights.flatMap((sight) => sight.ids))];
    if (ids.length === 0) continue;
    const filterings = sights.flatMap((sight) => (sight.filter ? { ...sight, filter: sight.filter } : []));
    const rows =
      unfiltered ??
      (await readAroundBrokenFilters(options.pool, table, ids, filterings, (broken, error) => {
        options.log.warn({ err: error }, 'a filter of changes failed');
        for (const one of broken) tellBroken(one.subscriptions, error, forget);
      }));
    const show = (id: string, sight: Sight) => {
      const viewers = changed.viewers.get(id) ?? new Set();
      for (const one of sight.subscriptions) viewers.add(one);
      changed.viewers.set(id, viewers);
    };
    for (const [id, { record, passes }] of rows) {
      changed.records.set(id, record);
      for (const sight of passes) show(id, sight);
    }
    for (const sight of sights) if (!sight.filter) for (const id of sight.ids) show(id, sight);
  }
  return changed;
}

/** A question for the rows of each owner, with the claims of each of their tokens. */
function questionsOf(changes: readonly Change[], subscriptions: readonly Subscription[]) {
  const byPerson = Map.groupBy(subscriptions, ({ channel }) => channel.caller.userId);
  return [...Map.groupBy(changes, ({ owner }) => owner)].flatMap(([owner, own]) => {
    const ids = idsOf(own);
    const asked = owner === null ? subscriptions : (byPerson.get(owner) ?? []);
    const byClaims = Map.groupBy(asked, ({ channel }) => JSON.stringify(channel.caller.claims));
    return [...byClaims].map(([claims, same]) => ({ ids, claims, subscriptions: same }));
  });
}

/** The rows that one person sees, and which of their subscriptions each one passes. */
type Sight = {
  ids: readonly string[];
  filter: RowFilter | undefined;
  subscriptions: readonly Subscription[];
};

async function findSights(
  options: Pick<RealtimeOptions, 'pool'>,
  table: WatchedTable,
  questions: ReturnType<typeof questionsOf>,
): Promise<Sight[]> {
  const seen = Map.groupBy(await findVisible(options, table, questions), ({ question }) => question);
  return questions.flatMap(({ subscriptions }, at) => {
    const ids = seen.get(at)?.map(({ id }) => id) ?? [];
    if (ids.length === 0) return [];
    const byFilter = Map.groupBy(
      subscriptions,
      ({ channel, filter }) => `${channel.caller.userId} ${filter?.text ?? ''}`,
    );
    return [...byFilter.values()].flatMap((same) => {
      const [one] = same;
      return one ? [{ ids, filter: one.filter, subscriptions: same }] : [];
    });
  });
}

/** A filter that takes too long is not applied again. */
function tellBroken(
  subscriptions: readonly Subscription[],
  error: unknown,
  forget: (subscription: Subscription) => void,
): void {
  const message = isCancelled(error)
    ? 'The filter took too long on a changed row, so nothing more is told for it.'
    : 'The filter could not be applied to a changed row.';
  for (const one of subscriptions) {
    tellSystem(one.channel, { extension: 'postgres_changes', status: 'error', message });
    if (isCancelled(error)) forget(one);
  }
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
