import type { Vault } from '#db/sealed/vault.ts';
import type { HeldContact } from './find-owners.ts';

/** What an owner is told of an erased contact. */
export type ErasureNotice = Pick<HeldContact, 'kind' | 'value' | 'addedAt' | 'fileName' | 'exportedAt'>;

const placeOf = (id: string): string => `erasure_notices.sealed_notice:${id}`;

export const sealNotice = (vault: Vault, id: string, notice: ErasureNotice): string =>
  vault.seal(JSON.stringify(notice), placeOf(id));

/** @throws VaultError */
export function openNotice(vault: Vault, id: string, sealed: string): ErasureNotice {
  const said: Omit<ErasureNotice, 'addedAt' | 'exportedAt'> & { addedAt: string; exportedAt: string } = JSON.parse(
    vault.open(sealed, placeOf(id)),
  );
  return { ...said, addedAt: new Date(said.addedAt), exportedAt: new Date(said.exportedAt) };
}
