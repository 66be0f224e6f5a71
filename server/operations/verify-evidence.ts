import { connect } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { verifyChain } from '#server/evidence/verify-chain.ts';
import { encryptionKeys } from '#server/process/encryption-keys.ts';
import { runCommand } from './command.ts';

/** `npm run verify-evidence`: the chain in the database, while servers may go on. Exit code 1 names the first entry that does not fit. */
export function verifyDatabase(): Promise<void> {
  return runCommand(async (env, databaseUrl) => {
    const { db } = connect(databaseUrl);
    try {
      const verdict = await verifyChain(
        db,
        await evidenceVault(db, createVault(encryptionKeys(env.encryptionKeys, env.dataDir))),
      );
      if (verdict.ok)
        console.log(`${verdict.entries} ${verdict.entries === 1 ? 'entry fits' : 'entries fit'} the chain.`);
      else throw new Error(`Entry ${verdict.position} does not fit: ${verdict.why}`);
    } finally {
      await db.destroy();
    }
  });
}
