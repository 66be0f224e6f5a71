/** A column as the catalogue knows it; `sql` and `type` are safe to write into a statement. */
export type Column = { name: string; sql: string; type: string; defaultSql: string | null };
/** Columns that must be equal, of one table and another. */
export type JoinedColumns = readonly { own: Column; other: Column }[];
/** A foreign key, seen from one of its two tables, or two keys of a third table that relates them. */
export type Relation = {
  constraint: string;
  /** The other table. */
  table: Table;
  /** Whether a row may have many rows of the other table. */
  many: boolean;
  /** Whether this table holds the key. */
  points: boolean;
  /** The columns of this table, and those of the other or, with `through`, of the third one. */
  on: JoinedColumns;
  /** The third table, and how its rows find those of the other one. */
  through?: { table: Table; constraint: string; on: JoinedColumns };
};
/** A table or view of schema public; `sql` is its quoted, qualified name. */
export type Table = {
  name: string;
  sql: string;
  isView: boolean;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly string[];
  relations: readonly Relation[];
};
