import fc from 'fast-check';

/** Text that means something to someone: to SQL, to PostgREST's grammar, to JavaScript, or to anyone who reads it. */
const WORDS = [
  ...[
    "'",
    '"',
    '`',
    '\\',
    ';',
    '--',
    '/*',
    '*/',
    '$$',
    '$1',
    '%',
    '_',
    '%00',
    '\0',
    '\uD800',
    '\uFEFF',
    '\u202E',
    '\r\n',
  ],
  ...[
    "' or true --",
    "'; drop table public.lists; --",
    "') or 1=1 --",
    "' union select sealed_key from app.provider_keys --",
  ],
  ...["'||(select email from app.profiles limit 1)||'", "'; select pg_sleep(9); --", '1;select 1', '1) or (1=1'],
  ...[
    "\\'; copy app.profiles to program 'id'; --",
    '$$; set role service_role; --',
    "E'\\047 or true'",
    'current_user',
  ],
  ...[
    'eq.',
    'neq.',
    'in.(',
    ')',
    'is.null',
    'not.eq.',
    'or=(id.gt.0)',
    'and(',
    'like.*',
    'fts.x',
    'cs.{}',
    '*',
    '->>',
    '::text',
  ],
  ...[
    'select=*',
    '&select=*',
    'lists!inner(*)',
    '...leads(*)',
    'order=id.desc',
    'id.asc.nullsfirst',
    '"id"',
    'public.lists',
  ],
  ...[
    'user_id',
    'id',
    'name',
    'search_params',
    'sealed_key',
    'app.profiles',
    'auth.users',
    'pg_catalog',
    'xmin',
    'ctid',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '{}',
    '[]',
    'null',
    'undefined',
    'NaN',
    'true',
  ],
  ...[
    '0',
    '-1',
    '1e999',
    '9007199254740993',
    '1.5',
    '0x10',
    '²',
    '٣',
    '0000-01-01',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '{{7*7}}',
    '#{7*7}',
    '../../etc/passwd',
    '%2e%2e/',
  ],
  ...['<script>alert(1)</script>', 'javascript:alert(1)', 'http://169.254.169.254/', 'file:///etc/passwd', '=cmd|x!A1'],
];

export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(''));

/** Text mostly; sometimes what should have been text. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 3 }) },
);

/** Words of ours that no answer may hold: SQL, places in the code, names of what is inside. */
export const INSIDES =
  /syntax error|unterminated|at or near|select .*? from |insert into |\bapp\.\w+_|sealed_|node_modules|\.ts:\d|Error: |at async |kysely|ECONN|stack/gi;
