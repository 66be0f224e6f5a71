// The spelling of everything that people read here: texts, docs, comments and names. `node scripts/checks/spelling.mjs` runs it.
/** What cspell's own dictionaries do not hold: our words, PostgreSQL's catalogs, and names that tests and the sandbox invented. */
const dictionaries = ['words', 'postgres', 'names'];

export default {
  version: '0.2',
  language: 'en-US',
  useGitignore: true,
  ignorePaths: [
    '.git',
    'package-lock.json',
    '.cspell.config.mjs',
    '*.gen.ts',
    // Generated from the database; the migrations are read instead.
    'db/schema',
    // Host names and town names of the world outside.
    '**/shared-hosts.ts',
    'sandbox/geography/zipcodes-data.ts',
    // What columns are called in other languages, and files that are written so.
    '**/header-words.ts',
    'test/ugly-files.ts',
    // Names that Google gave.
    '**/place-types.ts',
  ],
  // Part of a word behind a class of letters in a pattern: /[Cc]onnect/; a letter by its number; a whole alphabet.
  ignoreRegExpList: ['/\\[[a-zA-Z]{2}\\][a-z]+/', '/\\\\u[0-9a-f]{4}/', '/[^\\x00-\\x7f]{20,}/'],
  dictionaryDefinitions: dictionaries.map((name) => ({ name, path: `./scripts/checks/spelling/${name}.txt` })),
  dictionaries,
  // docs/writing.md says what to write instead.
  flagWords: [
    'whoever',
    'whomever',
    'somebody',
    'anew',
    'lest',
    'licence',
    'metre',
    'metres',
    'centre',
    'centres',
    'learnt',
  ],
  overrides: [{ filename: 'docs/writing.md', ignoreWords: ['whoever', 'somebody', 'anew'] }],
};
