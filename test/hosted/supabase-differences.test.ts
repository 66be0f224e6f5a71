import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { quoted, testFile } from '#test/documents.ts';
import { signDelivery } from './auth-hooks/sign-delivery.ts';

/** All of some files, without their tests. */
const sources = (...patterns: string[]) =>
  globSync(patterns)
    .filter((path) => !path.includes('.test.'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
/** What the first group of a pattern matches, each once, in order. */
const found = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();

test('each difference that hosted-supabase.md lists names tests that are there', () => {
  const [, section = ''] = readFileSync('docs/hosted-supabase.md', 'utf8').split('## What Supabase does otherwise');
  const [table = ''] = section.split('\nThree tests');
  const rows = table.split('\n').filter((line) => /^\| (?!at Supabase)/.test(line));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const names = quoted(row.split(' | ')[2]);
    expect(names.map((name) => [name, testFile(name) !== undefined])).toEqual(names.map((name) => [name, true]));
    expect(names, row).not.toEqual([]);
  }
});

test('of Supabase’s own the migrations know these tables and functions, and no others', () => {
  const known = sources('supabase/migrations/*.sql').replaceAll(/^\s*--.*$/gm, '');
  expect(found(known, /\b((?:auth|storage|realtime|extensions|vault)\.[a-z_]+)/g)).toEqual([
    ...['auth.mfa_factors', 'auth.uid', 'auth.users', 'realtime.messages', 'realtime.topic'],
    // Where there is such a function, which is ours.
    'realtime.watch',
    ...['storage.buckets', 'storage.objects'],
  ]);
});

test('of its admin API these methods are called, which supabase-js has', () => {
  const called = found(sources('server/accounts/hosted/*.ts'), /\badmin\.((?:mfa\.)?\w+)\(/g);
  expect(called).toEqual(
    ['createUser', 'deleteUser', 'generateLink', 'getUserById', 'inviteUserByEmail', 'listUsers', 'updateUserById']
      .concat('mfa.deleteFactor', 'mfa.listFactors')
      .sort(),
  );
});

/** GoTrue's error codes, as its client lists them. */
const CODES = new Set(
  found(readFileSync('node_modules/@supabase/auth-js/dist/module/lib/error-codes.d.ts', 'utf8'), /'([a-z0-9_]+)'/g),
);
/** Beyond that list: ours, for what GoTrue answers without a code, and those that its client does not name. */
const OWN = [
  ...['access_denied', 'feature_disabled', 'method_not_allowed', 'not_found', 'passkey_disabled', 'request_too_large'],
  'web3_provider_disabled',
];

test('our backend refuses with codes of GoTrue, and a few of its own', () => {
  const codes = found(sources('backend/auth/**/*.ts'), /new AuthError\(\s*\d+,\s*'([a-z0-9_]+)'/g);
  expect(codes.length).toBeGreaterThan(30);
  expect(codes.filter((code) => !CODES.has(code) && !OWN.includes(code ?? ''))).toEqual([]);
});

test('the codes by which refusals are told apart are GoTrue’s', () => {
  const server = found(sources('server/accounts/hosted/*.ts'), /^ {2}([a-z]+_[a-z_]+): '/gm);
  const browser = found(
    sources('web/src/lib/backend/denied.ts', 'web/src/lib/session/landing.ts'),
    /'([a-z]+_[a-z_]+)'/g,
  ).filter(
    // Names of parameters, and of what there is to tell.
    (name) => !/^(error_|sb_|other_device|address_|identity_|access_token)/.test(name ?? ''),
  );
  expect(server).toContain('email_address_not_authorized');
  expect(browser).toContain('otp_expired');
  expect([...server, ...browser].filter((code) => !CODES.has(code) && !OWN.includes(code ?? ''))).toEqual([]);
});

test('hooks are signed with the headers that the product reads', () => {
  const read = found(sources('server/features/hooks/verify-signature.ts'), /header\('([a-z-]+)'\)/g);
  expect(Object.keys(signDelivery('{}', [])).sort()).toEqual(read);
});
