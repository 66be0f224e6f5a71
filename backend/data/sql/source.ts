import type { Relation, Table } from '#backend/data/catalogue.ts';
import { ambiguous, DataError, unrelated } from '#backend/data/data-error.ts';
import type { Embed, Part, Selected } from '#backend/data/query/query.ts';
import { TARGET } from './statement.ts';

/** A table under its alias in a statement, what is asked of it, and the tables that are embedded in it. */
export type Source = { table: Table; alias: string; part: Part; embedded: readonly Embedded[] };
/** `name` is what other parameters call it, and its key in the answer. */
export type Embedded = { name: string; embed: Embed; relation: Relation; source: Source };

/**
 * Finds the tables that a part embeds, and gives each an alias of its own.
 * @throws DataError PGRST200 without a foreign key, PGRST201 when there are several, 42712 for a name that is used twice
 */
export function sourceOf(table: Table, part: Part): Source {
  let aliases = 0;
  const resolve = (table: Table, part: Part, alias: string): Source => {
    const embedded = part.select.filter(isEmbed).map((embed): Embedded => {
      const relation = relationOf(table, embed);
      aliases += 1;
      const source = resolve(relation.table, embed.part, `${TARGET}${aliases}`);
      return { name: embed.as ?? embed.relation, embed, relation, source };
    });
    const names = embedded.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) < at);
    if (twice !== undefined) {
      throw new DataError(400, '42712', `table name "${twice.slice(0, 100)}" specified more than once`);
    }
    return { table, alias, part, embedded };
  };
  return resolve(table, part, TARGET);
}

const isEmbed = (selected: Selected): selected is Embed => selected.kind === 'embed';

/** By the other table's name, the constraint's, or the one's of the column that points; a hint chooses among several. */
function relationOf(table: Table, { relation: name, hint }: Embed): Relation {
  const found = table.relations.filter(
    (relation) =>
      (relation.table.name === name || relation.constraint === name || pointsBy(relation, name, 'own')) &&
      (hint === undefined || relation.constraint === hint || pointsBy(relation, hint, relation.many ? 'other' : 'own')),
  );
  const [only, another] = found;
  if (!only) throw unrelated(table.name, name, hint);
  if (!another) return only;
  const candidates = found.map(({ constraint, table: other, many, on }) => ({
    cardinality: many ? ('one-to-many' as const) : ('many-to-one' as const),
    embedding: `${table.name} with ${other.name}`,
    relationship: `${constraint} using ${table.name}(${on.map(({ own }) => own.name).join(', ')}) and ${other.name}(${on
      .map(({ other }) => other.name)
      .join(', ')})`,
    hint: `${other.name}!${constraint}`,
  }));
  throw ambiguous(table.name, name, candidates);
}

const pointsBy = ({ many, on }: Relation, name: string, side: 'own' | 'other'): boolean =>
  on.length === 1 && many === (side === 'other') && on[0]?.[side].name === name;
