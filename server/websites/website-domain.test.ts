import fc from 'fast-check';
import { expect, test } from 'vitest';
import { websiteDomain } from './website-domain.ts';

test.each([
  ['https://www.springfield-plumbing.example/about?x=1', 'springfield-plumbing.example'],
  ['http://shop.acme.co.uk:8080', 'acme.co.uk'],
  ['acme.com', 'acme.com'],
  ['  HTTPS://ACME.COM./ ', 'acme.com'],
  ['https://münchen-pizza.example', 'xn--mnchen-pizza-dlb.example'],
  ['https://joes.uk.com', 'joes.uk.com'],
  ['https://notfacebook.com', 'notfacebook.com'],
])('%s is its own domain', (website, domain) => {
  expect(websiteDomain(website)).toEqual({ kind: 'own', domain });
});

test.each([
  'https://www.facebook.com/joes-plumbing',
  'https://m.facebook.com/joes',
  'https://instagram.com/joes',
  'https://joes.wixsite.com/home',
  'https://linktr.ee/joes',
  'https://joes.blogspot.com',
  'https://joes.github.io',
  'https://joes.square.site',
  'https://joes.netlify.app',
])('%s is a page on a shared host', (website) => {
  expect(websiteDomain(website)).toEqual({ kind: 'shared' });
});

test.each([
  null,
  '',
  '   ',
  'not a site',
  'http://192.0.2.7/',
  'http://[2001:db8::1]/',
  'http://localhost',
  'https://com',
  'https://',
])('%s is no website', (website) => {
  expect(websiteDomain(website)).toEqual({ kind: 'none' });
});

test('never throws, and its domain leads to itself', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl()), (website) => {
      const found = websiteDomain(website);
      if (found.kind === 'own') expect(websiteDomain(found.domain)).toEqual(found);
    }),
  );
});

test('a plain address is read as a URL would be, which one with a port is', () => {
  const label = fc.oneof(
    fc.stringMatching(/^[a-zA-Z\d-]{1,6}$/),
    fc.constantFrom('www', 'xn--a', 'facebook', '0x1', 'co'),
  );
  const last = fc.oneof(
    fc.stringMatching(/^[a-zA-Z]{1,4}$/),
    fc.constantFrom('com', 'io', 'app', 'uk', 'github', '1', 'xn--p1ai'),
  );
  const rest = fc.constantFrom('', '/', '/a?b#c', '?b', '#c', '/é ü', '/@b:1');
  fc.assert(
    fc.property(
      fc.constantFrom('http', 'https', 'HTTPS'),
      fc.array(label, { maxLength: 3 }),
      last,
      rest,
      (scheme, names, top, path) => {
        const host = `${scheme}://${[...names, top].join('.')}`;
        expect(websiteDomain(`${host}${path}`)).toEqual(websiteDomain(`${host}:8443${path}`));
      },
    ),
    { numRuns: 2_000 },
  );
});
