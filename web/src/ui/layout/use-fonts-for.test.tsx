import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useFontsFor } from './use-fonts-for.ts';

afterEach(() => void Reflect.deleteProperty(document, 'fonts'));

test('the fonts of a text are asked for at once, and again for another text only', () => {
  const load = vi.fn(async (_font: string, _text: string) => {
    throw new Error('No network.');
  });
  Object.defineProperty(document, 'fonts', { configurable: true, value: { load } });
  const { rerender } = renderHook(({ text }) => useFontsFor(text), { initialProps: { text: 'Café' } });
  rerender({ text: 'Café' });
  rerender({ text: 'Žižkov' });
  expect(load.mock.calls.map(([, text]) => text)).toEqual(['Café', 'Žižkov']);
});

test('a browser without them shows the page all the same', () => {
  expect(() => renderHook(() => useFontsFor('Café'))).not.toThrow();
});
