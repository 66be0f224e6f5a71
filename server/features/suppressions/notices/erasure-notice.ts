import type { Vault } from '#db/sealed/vault.ts';
import type { HeldContact } from './find-owners.ts';

/** What an owner is told of an erased contact. */
export type ErasureNotice = Pick<HeldContact, 'kind' | 'value' | 'askedAt' | 'fileName' | 'exportedAt'>;

const placeOf = (id: string): string => `erasure_notices.sealed_notice:${id}`;

/** As it is sealed: servers of the version before know `askedAt` by another name. */
type Sealed = Omit<ErasureNotice, 'askedAt' | 'exportedAt'> & { addedAt: string; exportedAt: string };

export function sealNotice(vault: Vault, id: string, { askedAt, exportedAt, ...notice }: ErasureNotice): string {
  const sealed: Sealed = { ...notice, addedAt: askedAt.toISOString(), exportedAt: exportedAt.toISOString() };
  return vault.seal(JSON.stringify(sealed), placeOf(id));
}

/** @throws VaultError */
export function openNotice(vault: Vault, id: string, sealed: string): ErasureNotice {
  const { addedAt, exportedAt, ...said }: Sealed = JSON.parse(vault.open(sealed, placeOf(id)));
  return { ...said, askedAt: new Date(addedAt), exportedAt: new Date(exportedAt) };
}
