import type { Pool } from 'pg';
import { type DataError, unknownTable } from './errors/data-error.ts';
import { readTables } from './schema/read-tables.ts';
import type { Column, Table } from './schema/table.ts';

/** The tables that may be addressed. */
export type Catalogue = {
  /** @throws DataError PGRST205 when schema public holds no such table, even after a fresh look. */
  table(name: string): Promise<Table>;
  /** Forgets what was read, so that the next request looks again. */
  forget(): void;
};

// A name that no one knows makes the catalogue look again, but strangers must not be able to keep it busy.
const LOOK_AGAIN_AFTER_MS = 1_000;

/** Reads tables, views, columns and keys from the database once and remembers them until `forget` or an unknown name. */
export function createCatalogue(pool: Pool, now: () => number = Date.now): Catalogue {
  let tables: Promise<ReadonlyMap<string, Table>> | undefined;
  let readAt = 0;

  const read = () => {
    readAt = now();
    const reading = readTables(pool);
    tables = reading;
    // A failed look must not be remembered; anyone who awaits it gets the error.
    reading.catch(() => {
      if (tables === reading) tables = undefined;
    });
    return reading;
  };

  return {
    async table(name) {
      const known = (await (tables ?? read())).get(name);
      if (known) return known;
      if (now() - readAt < LOOK_AGAIN_AFTER_MS) throw unknownTable(name);
      const found = (await read()).get(name);
      if (!found) throw unknownTable(name);
      return found;
    },
    forget() {
      tables = undefined;
    },
  };
}

/** Picks a column or throws what `otherwise` makes of its name. */
export function columnOf(table: Table, name: string, otherwise: (table: string, column: string) => DataError): Column {
  const column = table.columns.get(name);
  if (!column) throw otherwise(table.name, name);
  return column;
}
