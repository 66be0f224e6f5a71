import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVault, VaultError } from './vault.ts';

const newKey = () => randomBytes(32).toString('base64');
const place = 'provider_keys.sealed_key:6f0c:hunter_io';
const kindOf = (call: () => unknown) => {
  try {
    call();
  } catch (error) {
    return error instanceof VaultError ? error.kind : error;
  }
  return 'no error';
};

describe('vault', () => {
  test('opens what it sealed, whatever the text and the place', () => {
    const vault = createVault([newKey()]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, somewhere) => {
        expect(vault.open(vault.seal(plain, somewhere), somewhere)).toBe(plain);
      }),
    );
  });

  test('seals one text differently each time, and never shows it', () => {
    const vault = createVault([newKey()]);
    const sealed = vault.seal('sk_live_42', place);
    expect(vault.seal('sk_live_42', place)).not.toBe(sealed);
    expect(sealed).toMatch(/^v1(\.[\w-]+){4}$/);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('sk_live_42');
  });

  test('does not open in another place', () => {
    const vault = createVault([newKey()]);
    expect(kindOf(() => vault.open(vault.seal('secret', place), `${place}x`))).toBe('not_authentic');
  });

  test('does not open once a single character is changed', () => {
    const vault = createVault([newKey()]);
    const sealed = vault.seal('secret', place);
    for (let index = 0; index < sealed.length; index++) {
      const changed = `${sealed.slice(0, index)}${sealed[index] === 'A' ? 'B' : 'A'}${sealed.slice(index + 1)}`;
      // The last character of a base64 group may carry bits that are not used.
      if (Buffer.from(changed, 'base64url').equals(Buffer.from(sealed, 'base64url'))) continue;
      let opened: string | undefined;
      try {
        opened = vault.open(changed, place);
      } catch (error) {
        expect(error).toBeInstanceOf(VaultError);
      }
      if (opened !== undefined) expect(decoded(changed)).toEqual(decoded(sealed));
    }
  });

  test('decrypts with every key and encrypts with the first', () => {
    const [older, newer] = [newKey(), newKey()];
    const sealed = createVault([older]).seal('secret', place);
    const rotated = createVault([newer, older]);
    expect(rotated.open(sealed, place)).toBe('secret');
    expect(kindOf(() => createVault([newer]).open(sealed, place))).toBe('unknown_key');
    expect(createVault([newer]).open(rotated.seal('again', place), place)).toBe('again');
  });

  test('asks again for keys that may change while it is used', () => {
    const [older, newer] = [newKey(), newKey()];
    let keys = [older];
    const vault = createVault(() => keys);
    const sealed = vault.seal('secret', place);
    keys = [newer, older];
    expect(vault.open(sealed, place)).toBe('secret');
    expect(vault.keyIds).toHaveLength(2);
    expect(vault.seal('again', place).split('.')[1]).toBe(vault.keyIds[0]);
    expect(sealed.split('.')[1]).toBe(vault.keyIds[1]);
  });

  test.each(['', 'secret', 'v1.a.b.c', 'v2.a.b.c.d', 'v1.....', 'v1.AAAAAAAA.AAAA.AAAA.AAAA'])(
    'refuses %j as malformed',
    (text) => {
      expect(kindOf(() => createVault([newKey()]).open(text, place))).toBe('malformed');
    },
  );

  test('refuses another spelling of the same bytes', () => {
    const vault = createVault([newKey()]);
    const sealed = vault.seal('secret', place);
    // The last of 22 characters stands for two bits more than 16 bytes have.
    const last = sealed.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const other = alphabet[alphabet.indexOf(last) ^ 1] ?? '';
    expect(Buffer.from(last.padStart(22, 'A'), 'base64url')).toEqual(Buffer.from(other.padStart(22, 'A'), 'base64url'));
    expect(kindOf(() => vault.open(sealed.slice(0, -1) + other, place))).toBe('malformed');
  });

  test('refuses keys that are not 32 bytes, or none', () => {
    expect(kindOf(() => createVault([]))).toBe('bad_key');
    expect(kindOf(() => createVault([randomBytes(16).toString('base64')]))).toBe('bad_key');
  });

  test('fingerprints depend on text and first key only', () => {
    const [first, second] = [newKey(), newKey()];
    const print = createVault([first]).fingerprint('token');
    expect(print).toMatch(/^[0-9a-f]{64}$/);
    expect(createVault([first, second]).fingerprint('token')).toBe(print);
    expect(createVault([second, first]).fingerprint('token')).not.toBe(print);
    expect(createVault([second, first]).fingerprints('token')[1]).toBe(print);
    expect(createVault([first]).fingerprint('token ')).not.toBe(print);
  });
});

const decoded = (sealed: string) => sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
