import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rememberReturnTo, takeReturnTo } from './return-to.ts';

test('goes back once, within the life of a link', () => {
  rememberReturnTo('/lists/7?sort=name#row-2', 1000);
  expect(takeReturnTo(2000)).toBe('/lists/7?sort=name#row-2');
  expect(takeReturnTo(2000)).toBe('/');
  rememberReturnTo('/?q=Zürich', 1000);
  expect(takeReturnTo(2000)).toBe('/?q=Z%C3%BCrich');
  rememberReturnTo('/settings', 1000);
  expect(takeReturnTo(1000 + 3_600_001)).toBe('/');
});

test.each([
  '//evil.example/x',
  'https://evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  '/login?x=1',
  '/x/../login',
  'javascript:alert(1)',
  '',
])('never goes to %s', (path) => {
  rememberReturnTo(path, 1000);
  expect(takeReturnTo(1000)).toBe('/');
  localStorage.setItem('return-to', `1000 ${path}`);
  expect(takeReturnTo(1000)).toBe('/');
});

test('whatever is remembered, the way back stays on the site', () => {
  const parts = [
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '%2e',
    '\t',
    '\n',
    ' ',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    'http:',
    'lists',
    '\u3002',
  ];
  const path = fc.oneof(
    fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((some) => `/${some.join('')}`),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(path, (wanted) => {
      localStorage.setItem('return-to', `1000 ${wanted}`);
      const to = takeReturnTo(1000);
      const url = new URL(to, window.location.origin);
      expect(url.origin).toBe(window.location.origin);
      expect(to).not.toMatch(/^\/[/\\]/);
      // Taken apart and put together again, as a router does it, it still is.
      expect(new URL(url.pathname + url.search, window.location.origin).origin).toBe(window.location.origin);
    }),
    { numRuns: 3000 },
  );
});
