import { describe, expect, test } from 'vitest';
import { type KeyPress, readKey, SHORTCUTS, shortcutTo } from './shortcuts.ts';

const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

describe('reading a key', () => {
  test.each([
    ['Ctrl+K', press('k', { ctrlKey: true }), 'palette'],
    ['Meta+B', press('b', { metaKey: true }), 'sidebar'],
    ['a question mark', press('?', { shiftKey: true }), 'help'],
    ['a letter under Caps Lock', press('N'), { to: '/search' }],
  ])('%s', (_name, key, action) => {
    expect(readKey(key, [])).toBe(shortcutTo(action as 'palette'));
  });

  test.each([
    ['a capital letter', press('N', { shiftKey: true })],
    ['Ctrl+Alt+K', press('k', { ctrlKey: true, altKey: true })],
    ['Ctrl+Shift+B', press('B', { ctrlKey: true, shiftKey: true })],
    ['Ctrl+N, which is the browser’s', press('n', { ctrlKey: true })],
    ['the end of a sequence alone', press('d')],
  ])('%s means nothing', (_name, key) => {
    expect(readKey(key, [])).toBeUndefined();
  });

  test('a sequence begins, ends, and begins again', () => {
    expect(readKey(press('g'), [])).toEqual(['g']);
    expect(readKey(press('s'), ['g'])).toBe(shortcutTo({ to: '/settings' }));
    expect(readKey(press('g'), ['g'])).toEqual(['g']);
    expect(readKey(press('n'), ['g'])).toBe(shortcutTo({ to: '/search' }));
  });
});

test('no shortcut hides another one', () => {
  const typed = SHORTCUTS.map(({ mod, keys }) => [mod, ...keys].join(' '));
  for (const one of typed) expect(typed.filter((other) => other.startsWith(one))).toEqual([one]);
});
