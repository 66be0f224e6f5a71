import { quoted, rowsByHeading, testFile } from './documents.ts';

/**
 * A row of docs/supabase-client.md. `names` are what it speaks of, below the part of the client that its chapter is about:
 * `auth.mfa.enroll`. `tests` are the paths of those it names; undefined for one that is not there.
 */
export type ClientMethod = { cells: string[]; method: string; names: string[]; tests: (string | undefined)[] };

/** What the official client can do here, as docs/supabase-client.md has it. */
export const clientMethods = (): ClientMethod[] =>
  rowsByHeading('docs/supabase-client.md').flatMap(({ heading, rows }) =>
    rows
      .map((cells) => ({ cells, method: cells[0] ?? '', tests: quoted(cells[2]).map(testFile) }))
      .filter(({ method }) => method !== ' method')
      .map((row) => ({ ...row, names: quoted(row.method).map((call) => `${heading.split(':')[0]}.${nameOf(call)}`) })),
  );

/** `signInWithOtp({ email })` is about `signInWithOtp`. */
const nameOf = (call: string) => /^[\w.]*/.exec(call)?.[0] ?? '';

// Nothing of theirs depends on whose PostgreSQL it is: addresses that no database sees, pages of the product, a pooler of their own.
const ANYWHERE = ['backend/auth/kit/redirects.test.ts', 'server/live/live.test.ts', 'test/pooler.long.test.ts'];

/** Those that are run on a separate PostgreSQL as well. */
export function testsOnSeparatePostgres(): string[] {
  const paths = clientMethods().flatMap(({ tests }) => tests.filter((path) => path !== undefined));
  return [...new Set(paths)].filter((path) => !ANYWHERE.includes(path));
}
