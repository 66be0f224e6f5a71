import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What a connection keeps beyond a transaction, so that a pooler in transaction mode loses it or hands it to someone else. */
const SESSION_STATE = {
  'a lock of the session': /pg_(?:try_)?advisory_(?:un)?lock(?:_shared)?\(/i,
  'a setting of the session':
    /set_config\([^)]*,\s*false\s*\)|(?<!\w)set\s+session\b|`\s*set\s+(?!local)\w+\s+(?:to|=)/i,
  'a temporary table': /create\s+temp(?:orary)?\s+table(?![^;]*on\s+commit\s+drop)/i,
  'a prepared statement': /`\s*prepare\s+\w|\.query\(\{[^}]*\bname:/i,
  'a cursor of the session': /\bwith\s+hold\b/i,
  'a subscription': /`\s*(?:un)?listen\s/i,
};

/** Where a connection that no one shares is used: it was asked for by the owner's or the direct address, or is the embedded PostgreSQL's. */
const OWN_CONNECTION = [
  'db/backup/', // the owner's
  'db/embedded/',
  'db/migrations/migrate.ts', // the owner's
  'db/notifications.ts', // where notifications arrive
  'server/open-data/load/load-places.ts', // a process of its own, on the direct address
  'server/operations/rotate-keys.ts', // the owner's
];

const files = globSync('{backend,db,jobs,server,supabase}/**/*.{ts,sql}').filter(
  (file) => !/\.test\.ts$|\/testing\//.test(file) && !OWN_CONNECTION.some((place) => file.startsWith(place)),
);

test('nothing that a server does on DATABASE_URL needs a session of its own', () => {
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return Object.entries(SESSION_STATE).flatMap(([what, pattern]) => (pattern.test(text) ? [`${file}: ${what}`] : []));
  });
  expect(found).toEqual([]);
});

test.each([
  ['select pg_try_advisory_lock(1)', 'a lock of the session'],
  ["select set_config('role', 'anon', false)", 'a setting of the session'],
  ['sql`set role anon`; sql`set timezone = 1`', 'a setting of the session'],
  ['create temp table seen (id int)', 'a temporary table'],
  ["client.query({ text, name: 'find' })", 'a prepared statement'],
  ['declare c cursor with hold for select 1', 'a cursor of the session'],
  ['client.query(`listen changes`)', 'a subscription'],
] as const)('%s is noticed', (text, what) => {
  expect(text).toMatch(SESSION_STATE[what]);
});

test.each([
  'select pg_advisory_xact_lock(1)',
  "select set_config('role', 'anon', true)",
  'create temp table seen (id int) on commit drop',
  'update lists set name = 1',
])('%s is not', (text) => {
  expect(Object.values(SESSION_STATE).filter((pattern) => pattern.test(text))).toEqual([]);
});
