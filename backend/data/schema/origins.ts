/** A column of a table or view, by their numbers in the catalogue of PostgreSQL. */
export type Origin = { relation: string; column: number };

/** One piece of a stored query: an escaped character, a bracket, or a word. */
const PIECE = /[{}()]|(?:\\.|[^\\{}()\s])+/gsu;
/** `({QUERY … :targetList (` and `{TARGETENTRY …`, counted in brackets. */
const QUERY_DEPTH = 2;
const ENTRY_DEPTH = 4;

/**
 * Where the columns of a view come from, by their number in the view. PostgreSQL notes it in the query that it stores
 * (`pg_rewrite.ev_action`), through joins and subqueries. A column that is computed is not among them, nor any of a union.
 */
export function originsOf(action: string): Map<number, Origin> {
  const origins = new Map<number, Origin>();
  let depth = 0;
  let word = '';
  let inList = false;
  let entry: Record<string, string> = {};
  for (const [piece] of action.matchAll(PIECE)) {
    if (piece === '(' || piece === '{') {
      if (depth === QUERY_DEPTH) inList = word === ':targetList';
      depth += 1;
      if (depth === ENTRY_DEPTH) entry = {};
    } else if (piece === ')' || piece === '}') {
      if (inList && depth === ENTRY_DEPTH) note(origins, entry);
      depth -= 1;
    } else {
      if (inList && depth === ENTRY_DEPTH && word.startsWith(':')) entry[word] = piece;
      word = piece;
    }
  }
  return origins;
}

function note(origins: Map<number, Origin>, entry: Record<string, string>): void {
  const relation = entry[':resorigtbl'] ?? '0';
  const column = Number(entry[':resorigcol']);
  if (relation !== '0' && column > 0 && entry[':resjunk'] !== 'true') {
    origins.set(Number(entry[':resno']), { relation, column });
  }
}
