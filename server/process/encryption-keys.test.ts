import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encryptionKeys } from './encryption-keys.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('uses the configured keys and writes nothing', () => {
  expect(encryptionKeys(['configured'], folder)).toEqual(['configured']);
  expect(readdirSync(folder)).toEqual([]);
});

test('makes one key, for its owner only, and keeps it', () => {
  const [key = ''] = encryptionKeys([], join(folder, 'data'));
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(encryptionKeys([], join(folder, 'data'))).toEqual([key]);
  expect(readdirSync(join(folder, 'data'))).toEqual(['secrets.json']);
  expect(statSync(join(folder, 'data', 'secrets.json')).mode & 0o777).toBe(0o600);
});

test.each(['', '{"encryptionKeys": []}', '{"encryptionKeys'])(
  'refuses the damaged file %j instead of replacing it',
  (text) => {
    writeFileSync(join(folder, 'secrets.json'), text);
    expect(() => encryptionKeys([], folder)).toThrow(/holds no encryption keys. Restore it from a backup/);
  },
);
