import { expect, test } from 'vitest';
import { siteAt } from './site.ts';

test('a local site answers to both loopback spellings', () => {
  const site = siteAt('http://localhost:3000');
  expect(site.origins).toEqual(['http://localhost:3000', 'http://127.0.0.1:3000']);
  expect(site.backendUrlFor('http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000');
  expect(site.backendUrlFor('http://evil.example:3000')).toBe('http://localhost:3000');
});

test('a public site has one origin, also behind a proxy that speaks http to it', () => {
  const site = siteAt('https://leads.example');
  expect(site.origins).toEqual(['https://leads.example']);
  expect(site.backendUrlFor('http://leads.example')).toBe('https://leads.example');
});
