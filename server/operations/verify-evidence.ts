import { connect } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { verifyChain } from '#server/evidence/verify-chain.ts';
import { encryptionKeys } from '#server/process/encryption-keys.ts';
import { runCommand, UsageError } from './command.ts';

/**
 * `npm run verify-evidence`: the chain in the database, while servers may go on. Exit code 1 names the first entry that does not fit.
 * `from`: the first entry to check.
 */
export function verifyDatabase(from: string | undefined): Promise<void> {
  return runCommand(async (env, databaseUrl) => {
    if (from !== undefined && !/^[1-9]\d{0,14}$/.test(from))
      throw new UsageError('Usage: npm run verify-evidence -- [PACK.zip | --from POSITION]');
    const { db } = connect(databaseUrl);
    try {
      const verdict = await verifyChain(
        db,
        await evidenceVault(db, createVault(encryptionKeys(env.encryptionKeys, env.dataDir))),
        from === undefined ? {} : { from: Number(from) },
      );
      if (verdict.ok)
        console.log(`${verdict.entries} ${verdict.entries === 1 ? 'entry fits' : 'entries fit'} the chain.`);
      else throw new Error(`Entry ${verdict.position} does not fit: ${verdict.why}`);
    } finally {
      await db.destroy();
    }
  });
}
