import { globSync, readFileSync } from 'node:fs';

/** Every file that documents speak of. */
export const FILES = globSync('{backend,contract,db,providers,scripts,server,supabase,test,web,websites}/**', {
  exclude: ['**/dist/**'],
});

/** The rows of all tables of a document, each in its cells. */
export const rowsOf = (document: string): string[][] => rowsIn(readFileSync(document, 'utf8'));

/** The same, by the headings of the second order above them. */
export function rowsByHeading(document: string): { heading: string; rows: string[][] }[] {
  const chapters = readFileSync(document, 'utf8').split(/^## /m).slice(1);
  return chapters.map((text) => ({ heading: text.split('\n', 1)[0] ?? '', rows: rowsIn(text) }));
}

const rowsIn = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(1, -1).split(' | '));

/** What a cell has in backquotes. */
export const quoted = (text = ''): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The path of a test that a document names by the end of it, without `.test.ts` or `.long.test.ts`. */
export function testFile(name: string): string | undefined {
  const path = name.replace(/^spec\//, 'test/e2e/spec/').replace(/^e2e\//, 'test/e2e/');
  const ends = ['.test.ts', '.test.tsx', '.long.test.ts'];
  return FILES.find((file) => ends.some((end) => `/${file}`.endsWith(`/${path}${end}`)));
}
