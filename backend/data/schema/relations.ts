import type { Column, JoinedColumns, Relation, Table } from './table.ts';

/** A foreign key between two relations, with the numbers of their columns. */
export type ForeignKey = {
  constraint: string;
  from: string;
  to: string;
  columns: readonly number[];
  others: readonly number[];
  /** Whether a constraint says that no two rows have the same key. */
  unique: boolean;
};
export type WritableTable = Table & { columns: Map<string, Column>; primaryKey: string[]; relations: Relation[] };
/** A table or view that may be addressed, and its columns by the number of the column that they show. */
export type Showing = { table: WritableTable; columns: ReadonlyMap<number, readonly Column[]> };

type Pointer = { key: ForeignKey; to: WritableTable; on: JoinedColumns };

/** A view may show a column under several names; of their combinations no more are looked at. */
const MAX_COMBINATIONS = 8;

/**
 * Writes the foreign keys into the tables that they relate, both ways. A view is related as the tables are whose columns it
 * shows. Tables are also related by a third one whose primary key holds a key of each.
 */
export function relate(keys: readonly ForeignKey[], showingsOf: (relation: string) => readonly Showing[]): void {
  const pointers = new Map<WritableTable, Pointer[]>();
  for (const key of keys) {
    for (const from of showingsOf(key.from)) {
      const found = showingsOf(key.to).flatMap((to) => joinsOf(key, from, to).map((on) => ({ key, to: to.table, on })));
      for (const pointer of found) relateTwo(from.table, pointer);
      pointers.set(from.table, [...(pointers.get(from.table) ?? []), ...found]);
    }
  }
  for (const [junction, found] of pointers) relateThrough(junction, found);
}

function relateTwo(from: WritableTable, { key: { constraint, unique }, to, on }: Pointer): void {
  from.relations.push({ constraint, table: to, many: false, points: true, on });
  to.relations.push({ constraint, table: from, many: !unique, points: false, on: turned(on) });
}

function relateThrough(junction: WritableTable, pointers: readonly Pointer[]): void {
  const known = new Set(junction.primaryKey);
  const inKey = pointers.filter(({ key, on }) => !key.unique && on.every(({ own }) => known.has(own.name)));
  for (const one of inKey) {
    for (const { key, to, on } of inKey) {
      if (one.key === key || one.to === to) continue;
      const through = { table: junction, constraint: key.constraint, on };
      const [constraint, table] = [one.key.constraint, to];
      one.to.relations.push({ constraint, table, many: true, points: false, on: turned(one.on), through });
    }
  }
}

/** The columns that must be equal, once for each combination of names. */
function joinsOf(key: ForeignKey, from: Showing, to: Showing): JoinedColumns[] {
  let joins: JoinedColumns[] = [[]];
  for (const [at, column] of key.columns.entries()) {
    const [owns, others] = [from.columns.get(column) ?? [], to.columns.get(key.others[at] ?? 0) ?? []];
    const pairs = owns.flatMap((own) => others.map((other) => ({ own, other })));
    joins = joins.flatMap((join) => pairs.map((pair) => [...join, pair])).slice(0, MAX_COMBINATIONS);
  }
  return joins;
}

const turned = (on: JoinedColumns): JoinedColumns => on.map(({ own, other }) => ({ own: other, other: own }));
