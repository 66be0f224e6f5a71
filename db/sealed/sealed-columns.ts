/** A column that holds what a vault sealed. `key` are the columns whose values, joined by colons, name the row in its place. */
export type SealedColumn = {
  schema: string;
  table: string;
  column: string;
  key: readonly string[];
  /** A column with a fingerprint of the same secret, and the text that it is made of. */
  fingerprint?: { column: string; textOf(plain: string, rowKey: string): string };
};

/** All of them: what is not here is lost when keys change. A test compares it with the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    schema: 'app',
    table: 'provider_keys',
    column: 'sealed_key',
    key: ['user_id', 'provider'],
    fingerprint: { column: 'fingerprint', textOf: (apiKey, rowKey) => `${rowKey.split(':')[1]}:${apiKey}` },
  },
  ...['sealed_client_secret', 'sealed_access_token', 'sealed_refresh_token'].map((column) => ({
    schema: 'app',
    table: 'crm_connection',
    column,
    key: [],
  })),
  { schema: 'app', table: 'erasure_notices', column: 'sealed_notice', key: ['id'] },
  { schema: 'app', table: 'evidence_key', column: 'sealed_key', key: [] },
  { schema: 'auth', table: 'mfa_factors', column: 'sealed_secret', key: ['id'] },
  { schema: 'auth', table: 'refresh_tokens', column: 'sealed_child', key: ['id'] },
  { schema: 'auth', table: 'signing_keys', column: 'sealed_private_jwk', key: ['kid'] },
];

/** Those of the tables that are ours: hosted Supabase keeps sign-in in tables of its own. */
export const sealedColumns = ({ hosted }: { hosted: boolean }): readonly SealedColumn[] =>
  hosted ? SEALED_COLUMNS.filter(({ schema }) => schema !== 'auth') : SEALED_COLUMNS;

/** Where a sealed text is stored, as it was told to the vault. */
export const placeIn = ({ table, column }: SealedColumn, rowKey: string): string =>
  `${table}.${column}${rowKey === '' ? '' : `:${rowKey}`}`;

/** A row's key as SQL. */
export const rowKeyOf = ({ key }: SealedColumn): string =>
  key.length === 0 ? `''` : `concat_ws(':', ${key.map((name) => `${name}::text`).join(', ')})`;
