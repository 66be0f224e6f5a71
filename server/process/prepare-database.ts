import { connect } from '#db/connection/client.ts';
import { migrate } from '#db/migrations/migrate.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { installQueue } from '#jobs/install-queue.ts';
import { assertOpenable } from './assert-openable.ts';

/**
 * All that a start does as the owner of the database: brings it up to date, and looks whether `vault` can open what it holds.
 * - `hosted`: Supabase has the schema of sign-in.
 * @throws Error, with what to do, when the vault cannot.
 */
export async function prepareDatabase(
  ownerUrl: string,
  vault: Vault,
  keys: { configured: boolean; dataDir: string },
  footing: { hosted: boolean },
): Promise<void> {
  await migrate(ownerUrl, footing);
  await installQueue(ownerUrl);
  const { db } = connect(ownerUrl, { max: 1 });
  try {
    await assertOpenable(db, vault, { ...keys, ...footing });
  } finally {
    await db.destroy();
  }
}
