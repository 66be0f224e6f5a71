/** How a filter compares, in PostgREST's words. */
export type Operator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike';
/** What `is` asks. */
export type Truth = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

/** One filter. Columns are names from the request: they are looked up before they become SQL. */
export type Condition =
  | { kind: 'compare'; column: string; operator: Operator; value: string }
  | { kind: 'in'; column: string; values: string[] }
  | { kind: 'is'; column: string; truth: Truth };

/** One selected column; `as` renames it in the answer. `*` stands for every column. */
export type Selected = { column: string; as?: string };
export type Ordered = { column: string; descending: boolean; nulls?: 'first' | 'last' };

/** A request's query string, parsed. Nothing in it has been compared with the catalogue yet. */
export type Query = {
  select: Selected[];
  /** All must hold. */
  where: Condition[];
  order: Ordered[];
  limit?: number;
  offset: number;
  /** The columns a bulk insert fills. */
  columns?: string[];
};
