import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { createVault, type Vault } from '#db/sealed/vault.ts';

const PLACE = 'evidence_key.sealed_key';

/** Opened vaults by the vault that opened their key: one for each database that a process works with. */
const opened = new WeakMap<Vault, Promise<Vault>>();

/**
 * Opens the vault of sealed parts and subjects, under a key of its own. The first call makes that key.
 * That key is sealed by `vault`, and stays the same when encryption keys change.
 */
export function evidenceVault(db: Db, vault: Vault): Promise<Vault> {
  const known = opened.get(vault);
  if (known !== undefined) return known;
  const opening = open(db, vault);
  opened.set(vault, opening);
  opening.catch(() => opened.delete(vault));
  return opening;
}

async function open(db: Db, vault: Vault): Promise<Vault> {
  const stored = await readKey(db);
  if (stored) return createVault([vault.open(stored, PLACE)]);
  await sql`
    insert into app.evidence_key (sealed_key) values (${vault.seal(randomBytes(32).toString('base64'), PLACE)})
    on conflict do nothing
  `.execute(db);
  // Another process may have been first.
  const made = await readKey(db);
  if (!made) throw new Error('The key of the evidence was not stored.');
  return createVault([vault.open(made, PLACE)]);
}

async function readKey(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('app.evidence_key').select('sealed_key').executeTakeFirst();
  return row?.sealed_key;
}

/** The place of a sealed part, as the vault knows it: the part opens nowhere else. */
export const placeOfPart = (hash: string): string => `evidence_parts.sealed:${hash}`;
