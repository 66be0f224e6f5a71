import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInList } from './parse-in-list.ts';

describe('parseInList', () => {
  it.each([
    ['()', []],
    ['(a)', ['a']],
    ['(a,b)', ['a', 'b']],
    ['("a,b",c)', ['a,b', 'c']],
    ['("(x)")', ['(x)']],
    [String.raw`("say \"hi\"","back\\slash")`, ['say "hi"', String.raw`back\slash`]],
    ['("a"b)', ['"a"b']],
    ['( a , b )', [' a ', ' b ']],
    ['(,)', ['', '']],
    ['("")', ['']],
  ])('%s', (text, expected) => {
    expect(parseInList(text)).toEqual(expected);
  });

  it.each(['', 'a', '(a', '(a,', '("a', '(a)b', '(a))'])('refuses %s', (text) => {
    expect(() => parseInList(text)).toThrow(expect.objectContaining({ code: 'PGRST100' }));
  });

  it('reads back whatever was quoted', () => {
    const quoted = (value: string) => `"${value.replaceAll(/[\\"]/gu, String.raw`\$&`)}"`;
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (values) => {
        expect(parseInList(`(${values.map(quoted).join(',')})`)).toEqual(values);
      }),
    );
  });
});
