import { ambiguous, type Candidate, unrelated } from '#backend/data/errors/data-error.ts';
import type { Embed } from '#backend/data/query/query.ts';
import type { JoinedColumns, Relation, Table } from '#backend/data/schema/table.ts';

/**
 * The relation that an embedded table names, by PostgREST's rules: by the other table, or by the constraint or this table's
 * column; a hint chooses among several.
 * @throws DataError PGRST200 for none, PGRST201 for several
 */
export function relationOf(table: Table, { relation: name, hint }: Embed): Relation {
  const found = table.relations.filter((relation) =>
    relation.table === table
      ? namesItself(relation, name, hint)
      : hint === undefined
        ? namesOther(relation, name)
        : relation.table.name === name && isHinted(relation, hint),
  );
  const [only, another] = found;
  if (!only) throw unrelated(table.name, name, hint);
  if (another)
    throw ambiguous(
      table.name,
      name,
      found.map((relation) => candidateOf(table, relation)),
    );
  return only;
}

/** A view is known by its own name only: its constraints and columns are those of a table. */
const namesOther = (relation: Relation, name: string): boolean =>
  relation.table.name === name ||
  (!relation.table.isView && !relation.through && (relation.constraint === name || singleOf(relation, 'own') === name));

const isHinted = (relation: Relation, hint: string): boolean =>
  relation.through
    ? relation.through.table.name === hint
    : relation.constraint === hint || singleOf(relation, 'own') === hint || singleOf(relation, 'other') === hint;

/** In a table's key to itself, the column leads to the row it points to. The table's name leads to the rows that point here. */
const namesItself = (relation: Relation, name: string, hint: string | undefined): boolean =>
  relation.points
    ? hint === undefined && singleOf(relation, 'own') === name
    : relation.table.name === name &&
      (hint === undefined || singleOf(relation, 'other') === hint || relation.constraint === hint);

const singleOf = ({ on: [first, ...more] }: Relation, side: 'own' | 'other'): string | undefined =>
  more.length === 0 ? first?.[side].name : undefined;

function candidateOf(table: Table, { constraint, table: other, many, points, on, through }: Relation): Candidate {
  const embedding = `${table.name} with ${other.name}`;
  const names = (columns: JoinedColumns, side: 'own' | 'other') => columns.map((pair) => pair[side].name).join(', ');
  if (through) {
    const { table: third, constraint: second } = through;
    const relationship = `${third.name} using ${constraint}(${names(on, 'other')}) and ${second}(${names(through.on, 'own')})`;
    return { cardinality: 'many-to-many', embedding, relationship, hint: `${other.name}!${third.name}` };
  }
  const relationship = `${constraint} using ${table.name}(${names(on, 'own')}) and ${other.name}(${names(on, 'other')})`;
  const toOne = points ? 'many-to-one' : 'one-to-one';
  return { cardinality: many ? 'one-to-many' : toOne, embedding, relationship, hint: `${other.name}!${constraint}` };
}
