import { twMerge } from 'tailwind-merge';
import { expect, test } from 'vitest';
import { mergeClasses } from './merge-classes.ts';

const sources = import.meta.glob<string>(['../**/*.tsx', '!../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** What may be a class in a source, without what it holds for (`hover:`). */
const words = new Set(
  Object.values(sources)
    .flatMap((source) => [...source.matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g)])
    .flatMap(([text]) => text.slice(1, -1).split(/\s+/))
    .map((word) => word.replace(/^(?:[a-z*-]+(?:-?\[[^\]]*\])?(?:\/[a-z]+)?:|\[[^\]]*\]:)+/, '')),
);
/** Those that tailwind-merge knows: it keeps one of two. */
const classes = [...words].filter((word) => word !== '' && twMerge(`${word} ${word}`) === word);

test('every two classes of the project are merged as tailwind-merge merges all', () => {
  expect(classes.length).toBeGreaterThan(300);
  expect(classes).toContain('translate-x-4');
  const wrong: string[] = [];
  for (const one of classes)
    for (const other of classes) {
      if (one === other) continue;
      const pair = `${one} ${other}`;
      if (mergeClasses(pair) !== twMerge(pair)) wrong.push(pair);
    }
  expect(wrong).toEqual([]);
});
