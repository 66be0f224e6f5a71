/** How a filter compares its column with one value, in PostgREST's words. */
export type Operator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'like'
  | 'ilike'
  | 'match'
  | 'imatch'
  | 'isdistinct'
  | 'cs'
  | 'cd'
  | 'ov'
  | 'sl'
  | 'sr'
  | 'nxr'
  | 'nxl'
  | 'adj';
/** What `is` asks. */
export type Truth = 'null' | 'not_null' | 'true' | 'false' | 'unknown';
/** How the words of a text search are read. */
export type SearchWords = 'fts' | 'plfts' | 'phfts' | 'wfts';

/** One step into JSON: a key, or the index of an array. `->` returns JSON, `->>` text. */
export type Step = { arrow: '->' | '->>'; key: string; isIndex: boolean };
/** A column, or what lies in its JSON. Names are from the request: they are looked up before they become SQL. */
export type Field = { column: string; path: readonly Step[] };

/** What one filter asks of its field. Values that were given as `{a,b}` to (any) or (all) stay PostgreSQL's text of an array. */
export type Test =
  | { kind: 'compare'; operator: Operator; each?: 'any' | 'all'; value: string }
  | { kind: 'in'; values: string[] }
  | { kind: 'is'; truth: Truth }
  | { kind: 'search'; words: SearchWords; config?: string; value: string };

export type Filter = { kind: 'filter'; negated: boolean; field: Field; test: Test };
export type Group = { kind: 'and' | 'or'; negated: boolean; conditions: Condition[] };
export type Condition = Filter | Group;

/** One selected field; `as` renames it in the answer. */
export type SelectedField = { kind: 'field'; field: Field; cast?: string; as?: string };
/** Rows of a related table inside each row; `spread` puts their columns beside those of the row. */
export type Embed = {
  kind: 'embed';
  relation: string;
  hint?: string;
  as?: string;
  /** Whether rows that have none of it are left out. */
  inner: boolean;
  spread: boolean;
  part: Part;
};
export type Selected = { kind: 'all' } | SelectedField | Embed;
/** `relation` is the embedded table whose column decides. */
export type Ordered = { field: Field; relation?: string; descending: boolean; nulls?: 'first' | 'last' };

/** The query for one table, the addressed one or an embedded one. */
export type Part = {
  select: Selected[];
  /** All must hold. */
  where: Condition[];
  order: Ordered[];
  limit?: number;
  offset: number;
};

/** A request's query string, parsed. Nothing in it has been compared with the catalogue yet. */
export type Query = Part & {
  /** The columns a bulk insert fills. */
  columns?: string[];
  /** The columns by which an upsert knows a row. */
  onConflict?: string[];
};
