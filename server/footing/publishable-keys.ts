import type { Vault } from '#db/vault.ts';

/** What pages name themselves with at our own backend, made from the encryption keys: the one given out, and those of before a rotation. */
export function publishableKeys(vault: Vault): { publishableKey: string; formerKeys: string[] } {
  const [publishableKey = '', ...formerKeys] = vault
    .fingerprints('publishable key')
    .map((print) => `sb_publishable_${print.slice(0, 32)}`);
  return { publishableKey, formerKeys };
}
