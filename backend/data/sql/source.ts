import { DataError } from '#backend/data/errors/data-error.ts';
import type { Embed, Part, Selected } from '#backend/data/query/query.ts';
import type { Relation, Table } from '#backend/data/schema/table.ts';
import { relationOf } from './relation-of.ts';
import { TARGET } from './statement.ts';

/** A table under its alias in a statement, its query, and the tables that are embedded in it. */
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
