import { expect, test } from 'vitest';
import { createProviders, isSandboxKey } from './registry.ts';

const urls = {
  google_places: 'https://g.example',
  hunter_io: 'https://h.example/',
  searchbug: 'https://s.example',
  areaInsights: 'https://i.example',
  keap: { accounts: 'https://a.example', api: 'https://k.example' },
};

function providersWith(sandboxUrl?: string) {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (url) => {
    asked.push(String(url));
    return Response.json({ Status: 'Success', data: { emails: [] } });
  };
  return { asked, providers: createProviders({ urls, fetch, ...(sandboxUrl ? { sandboxUrl } : {}) }) };
}

test.each([
  ['sandbox', true],
  [' sandbox-down ', true],
  ['12345678:sandbox', true],
  ['CO_CODE=12345678;PASS=sandbox-slow', true],
  ['AIzaSomething', false],
  ['my-sandbox', false],
  ['12345678:real', false],
])('%j is a sandbox key: %s', (key, expected) => {
  expect(isSandboxKey(key)).toBe(expected);
});

test('sandbox keys go to the sandbox, all others to the real provider', async () => {
  const { asked, providers } = providersWith('http://127.0.0.1:9/');
  for (const [google, hunter, searchbug] of [
    ['sandbox', 'sandbox-x', '12345678:sandbox'],
    ['real', 'real', '12345678:real'],
  ] as const) {
    await providers.placeFinder(google).testKey();
    await providers.emailFinder(hunter).testKey();
    await providers.phoneScrubber(searchbug).testKey();
  }
  expect(asked).toEqual([
    'http://127.0.0.1:9/google/v1/places:searchText',
    'http://127.0.0.1:9/hunter/v2/account',
    'http://127.0.0.1:9/searchbug/api/search.aspx',
    'https://g.example/v1/places:searchText',
    'https://h.example/v2/account',
    'https://s.example/api/search.aspx',
  ]);
});

test('without a sandbox its keys are refused, and nothing is sent', async () => {
  const { asked, providers } = providersWith();
  const refused = { kind: 'bad_credentials', message: expect.stringContaining('Sandbox keys do not work here') };
  await expect(providers.placeFinder('sandbox').locate('Austin, TX')).rejects.toMatchObject(refused);
  await expect(providers.emailFinder('sandbox').searchDomain('a.example')).rejects.toMatchObject(refused);
  await expect(providers.phoneScrubber('1234:sandbox').testKey()).rejects.toMatchObject(refused);
  expect(asked).toEqual([]);
});
