import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A comment that needs more says it in a list, or in a document. */
const MOST_LINES = 4;
const ROOMS = 'area,backend,bench,calling,contract,db,jobs,providers,sandbox,scripts,server,test,web,websites';

const linesOf = (comment: string) =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\/\*\*|\*(?!\/))?\s?/, '').replace(/\s*\*\/\s*$/, ''))
    .filter((line) => line !== '');

/** “Throws away” is no such thing. */
const TELLS_WHAT_IS_THROWN = /(?:^|[.:)] )Throws\b(?! away)|; throws\b|\S.*@throws/;

/** What is wrong with the comments of a file. */
function flawsOf(text: string): string[] {
  const flaws: string[] = [];
  for (const [comment] of text.matchAll(/^[ \t]*\/\*\*[\s\S]*?\*\//gm)) {
    const lines = linesOf(comment);
    const list = lines.findIndex((line) => /^(?:- |@)/.test(line));
    if (lines.some((line) => TELLS_WHAT_IS_THROWN.test(line)))
      flaws.push(`put what is thrown on a line of its own, behind @throws: ${lines.join(' ')}`);
    if ((list < 0 ? lines.length : list) > MOST_LINES) flaws.push(`shorten: ${lines.join(' ')}`);
  }
  for (const [comment] of text.matchAll(/(?:^[ \t]*\/\/ .*\n)+/gm))
    if (comment.trimEnd().split('\n').length > MOST_LINES) flaws.push(`shorten: ${comment.trim()}`);
  return flaws;
}

test.each([
  ['/** Reads it. Throws NOT_FOUND. */'],
  ['/** Throws NOT_FOUND unless it is there. */'],
  ['/** Reads it; throws NOT_FOUND. */'],
  ['/** Reads it. @throws NOT_FOUND */'],
  ['/**\n * Reads it. @throws NOT_FOUND\n */'],
  ['  /**\n   * Reads it.\n   * Throws NOT_FOUND.\n   */'],
  [`/**\n${' * A line.\n'.repeat(5)} */`],
  [`${'  // A line.\n'.repeat(5)}  work();\n`],
])('%o is told', (text) => {
  expect(flawsOf(text)).toHaveLength(1);
});

test.each([
  ['/** Reads it. */'],
  ['/** @throws NOT_FOUND unless it is there. */'],
  ['/**\n * Reads it.\n * - `id`: of the list\n * @throws NOT_FOUND\n * @throws CONFLICT while it is read.\n */'],
  ['/** Throws away what is there. */'],
  ['/** Reads it. Never throws. */'],
  [`/**\n * Why:\n${' * - `a`: a reason\n'.repeat(8)} */`],
  [`${'  // A line.\n'.repeat(4)}  work();\n`],
])('%o is fine', (text) => {
  expect(flawsOf(text)).toEqual([]);
});

test('comments begin with what a thing does, list what it throws, and are short', () => {
  const files = globSync(`{${ROOMS}}/**/*.{ts,tsx,mjs}`).filter(
    (file) => !file.endsWith('.gen.ts') && file !== 'scripts/checks/comments.test.ts',
  );
  expect(files.length).toBeGreaterThan(1000);
  const flaws = files.flatMap((file) => flawsOf(readFileSync(file, 'utf8')).map((flaw) => `${file}: ${flaw}`));
  expect(flaws).toEqual([]);
});
