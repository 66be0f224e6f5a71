const KEYWORDS =
  /\b(PRIMARY KEY|FOREIGN KEY|NOT NULL|UNIQUE|REFERENCES|ON DELETE|CASCADE|SET NULL|SET DEFAULT|CHECK|CREATE|INDEX|TRIGGER|FUNCTION|EXECUTE|BEFORE|AFTER|INSERT|UPDATE|DELETE|TRUNCATE|FOR EACH|STATEMENT|ROW|WHEN|WHERE|USING|REFERENCING|OLD|NEW|TABLE|OR|AND|IS|NULL|NOT|ANY|ARRAY|AS|ON|OF|DESC|ASC|IN|BETWEEN|CASE|THEN|ELSE|END|DISTINCT|FROM|SELECT|COALESCE|NULLIF|GREATEST|LEAST|EXISTS|TRUE|FALSE|AT TIME ZONE|DEFERRABLE|INITIALLY|DEFERRED|INCLUDE|WITH|COLLATE)\b/g;

/**
 * Returns PostgreSQL's own rendering of an expression or a definition as a person would write it.
 * - Keywords in lower case, and `in (…)` for `= ANY (ARRAY[…])`.
 * - No cast that a literal does not need. Quoted text stays.
 */
export function plainSql(rendered: string): string {
  return rendered
    .split(/('(?:[^']|'')*'|"[^"]*")/)
    .map((part, place) => (place % 2 === 1 ? part : plain(place === 0 ? part : withoutCast(part))))
    .join('')
    .replaceAll(/= any \(array\[([^\]]*)\]\)/g, 'in ($1)');
}

/** `part` follows what stood in quotes. */
const withoutCast = (part: string): string =>
  part.replace(/^::(text|jsonb|timestamp with time zone\[\]|text\[\])(?!\w)/, '');

const plain = (part: string): string =>
  part
    .replaceAll(KEYWORDS, (word) => word.toLowerCase())
    .replaceAll(/\n\s+(?=from\b)/g, ' ')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(' using btree ', ' ')
    .replaceAll(
      /\( ?\( select (\w+\.\w+\(\)) as \w+\)\)|\( select (\w+\.\w+\(\)) as \w+\)/g,
      (_all, one?: string, two?: string) => `(select ${one ?? two})`,
    )
    .replaceAll('( select', '(select');
