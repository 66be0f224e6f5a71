import { expect, test } from 'vitest';
import { rememberReturnTo, takeReturnTo } from './return-to.ts';

test('goes back once, within the life of a link', () => {
  rememberReturnTo('/lists/7?sort=name#row-2', 1000);
  expect(takeReturnTo(2000)).toBe('/lists/7?sort=name#row-2');
  expect(takeReturnTo(2000)).toBe('/');
  rememberReturnTo('/settings', 1000);
  expect(takeReturnTo(1000 + 3_600_001)).toBe('/');
});

test.each(['//evil.example/x', 'https://evil.example', '/\\evil.example', '/login?x=1', ''])(
  'never goes to %s',
  (path) => {
    rememberReturnTo(path, 1000);
    expect(takeReturnTo(1000)).toBe('/');
    localStorage.setItem('return-to', `1000 ${path}`);
    expect(takeReturnTo(1000)).toBe('/');
  },
);
