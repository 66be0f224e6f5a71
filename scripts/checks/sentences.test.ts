import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** docs/writing.md asks for about 25 words. */
const MOST_WORDS = 28;
const DOCUMENTS = globSync([
  '*.md',
  'docs/**/*.md',
  '{area,backend,bench,calling,contract,db,jobs,providers,sandbox,scripts,server,test,web,websites}/**/README.md',
]);

/** Paragraphs and list items. Code, tables and headings hold no sentences of prose. */
const blocksOf = (text: string) =>
  text
    .replaceAll(/```[\s\S]*?```/g, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |#|\|)/)
    .map((block) => block.trim())
    .filter((block) => block && !/^[#|]/.test(block));

/** Code and link targets count as one word. */
const plain = (block: string) =>
  block
    .replaceAll(/`[^`]*`/g, 'x')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/^(?:[-*]|\d+\.) /g, '');

const sentencesOf = (text: string) =>
  blocksOf(text).flatMap((block) => plain(block).split(/(?<=[.!?:][”"*)]*)\s+(?=[“"(*]*(?:[A-Zx\d]|\[))|;\s+/));

const wordsIn = (sentence: string) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

test('sentences of the documents are short', () => {
  const long = DOCUMENTS.flatMap((document) =>
    sentencesOf(readFileSync(document, 'utf8'))
      .filter((sentence) => wordsIn(sentence) > MOST_WORDS)
      .map((sentence) => `${document}: ${wordsIn(sentence)} words: ${sentence.replaceAll(/\s+/g, ' ')}`),
  );
  expect(DOCUMENTS.length).toBeGreaterThan(100);
  expect(long).toEqual([]);
});
