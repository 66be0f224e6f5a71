import { expect, test } from 'vitest';
import { nestsTooDeep } from './json-depth.ts';

const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

test.each([
  ['what we send', '{"data":{"name":"Ada","tags":[1,2,[3]]}}', false],
  ['32 deep', nested(32), false],
  ['34 deep', nested(34), true],
  ['a million deep', '['.repeat(1_000_000), true],
  ['many beside each other', `[${'{"a":[]},'.repeat(1000)}1]`, false],
  ['brackets in a text', JSON.stringify({ a: '['.repeat(100) }), false],
  ['brackets after a quote in a text', JSON.stringify({ a: `"${'['.repeat(100)}\\"${'{'.repeat(100)}` }), false],
  ['brackets after a text', `["\\\\",${'['.repeat(40)}`, true],
])('%s', (_name, text, tooDeep) => {
  expect(nestsTooDeep(text)).toBe(tooDeep);
});
