import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';

/** The first release: there is no version before it. */
const LAST_BEFORE = { 'supabase/migrations': '20261123101000', 'backend/migrations': '0005' };

/** What breaks a server of the version before, which goes on while this one's migrations are applied. */
const BREAKING = {
  'takes a table, column, view or function away': /\bdrop\s+(?:table|column|view|function|schema)\b/i,
  'takes a name away': /\brename\s+(?:to|column)\b/i,
  'changes a type': /\balter\s+column\s+\w+\s+(?:set\s+data\s+)?type\b/i,
  'demands a value that the version before does not write': /\balter\s+column\s+\w+\s+set\s+not\s+null\b/i,
  'adds a column without a default that may not be null':
    /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+\s+(?![^,;]*\b(?:default|generated)\b)[^,;]*\bnot\s+null\b/i,
  'takes a right away': /\brevoke\b(?![^;]*\bfrom\s+(?:public|anon|authenticated)\b)/i,
};

/** How a file says that the version before no longer uses what it takes away. */
const UNUSED_SINCE = /^-- Unused since version \d/m;

const broken = (text: string) =>
  UNUSED_SINCE.test(text)
    ? []
    : Object.entries(BREAKING).flatMap(([what, pattern]) => (pattern.test(withoutComments(text)) ? [what] : []));
const withoutComments = (text: string) => text.replaceAll(/--.*$/gm, '');

test.each(Object.entries(LAST_BEFORE))('what was added to %s leaves the version before at work', (folder, last) => {
  const files = globSync(`${folder}/*.sql`).sort();
  const versions = files.map((file) => basename(file).split('_')[0] ?? '');
  expect(versions).toContain(last);
  const since = files.filter((_file, at) => (versions[at] ?? '') > last);
  expect(since.flatMap((file) => broken(readFileSync(file, 'utf8')).map((what) => `${file}: ${what}`))).toEqual([]);
});

test.each([
  ['alter table app.runs drop column totals', 'takes a table, column, view or function away'],
  ['alter table app.runs rename column totals to sums', 'takes a name away'],
  ['alter table app.runs alter column totals type text', 'changes a type'],
  ['alter table app.runs add column place text not null', 'adds a column without a default that may not be null'],
  ['revoke select on app.runs from fairlead_web', 'takes a right away'],
])('%s: %s', (text, what) => {
  expect(broken(text)).toEqual([what]);
  expect(broken(`-- Unused since version 2.\n${text}`)).toEqual([]);
});

test.each([
  'alter table app.runs add column place text',
  "alter table app.runs add column place text not null default ''",
  'create or replace function app.tell() returns void language sql as $$ select $$',
  'revoke all on schema app from public',
])('%s is safe', (text) => {
  expect(broken(text)).toEqual([]);
});
