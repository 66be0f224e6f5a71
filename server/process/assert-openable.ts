import type { Db } from '#db/connection/client.ts';
import { countSealed } from '#db/sealed/count-sealed.ts';
import { sealedColumns } from '#db/sealed/sealed-columns.ts';
import type { Vault } from '#db/sealed/vault.ts';

/** @throws Error, with what to do, when the database holds secrets that none of the vault's keys has sealed. */
export async function assertOpenable(
  db: Db,
  vault: Vault,
  where: { configured: boolean; dataDir: string; hosted: boolean },
): Promise<void> {
  const lost = (await countSealed(db, sealedColumns(where))).filter(({ keyId }) => !vault.keyIds.includes(keyId));
  if (lost.length === 0) return;
  const secrets = lost.map((count) => `${count.secrets} in ${count.column}`).join(', ');
  const source = where.configured ? 'ENCRYPTION_KEYS' : `${where.dataDir}/secrets.json`;
  throw new Error(
    `No key in ${source} opens some of the stored secrets (${secrets}). ` +
      'Put the old key back, after the new one. Then both work.',
  );
}
