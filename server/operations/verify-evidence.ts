import { parseArgs } from 'node:util';
import { connect } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { NO_HEAD } from '#server/evidence/read-head.ts';
import { verifyChain } from '#server/evidence/verify-chain.ts';
import { encryptionKeys } from '#server/process/encryption-keys.ts';
import { runCommand, UsageError } from './command.ts';

const USAGE = 'Usage: npm run verify-evidence -- [PACK.zip] [--head HASH] [--from POSITION]';

/**
 * `npm run verify-evidence`: the chain in the database, while servers may go on. Exit code 1 names the first entry that does not fit.
 * - `--from POSITION`: the first entry to check. `--head HASH`: a hash that an entry must have.
 */
export function verifyDatabase(args: readonly string[]): Promise<void> {
  return runCommand(async (env, databaseUrl) => {
    const { from, head: wanted } = optionsOf(args);
    const { db } = connect(databaseUrl);
    try {
      const verdict = await verifyChain(
        db,
        await evidenceVault(db, createVault(encryptionKeys(env.encryptionKeys, env.dataDir))),
        { ...(from && { from: Number(from) }), wanted },
      );
      if (verdict.ok)
        console.log(`${verdict.entries} ${verdict.entries === 1 ? 'entry fits' : 'entries fit'} the chain.`);
      else throw new Error(`Entry ${verdict.position} does not fit: ${verdict.why}`);
    } finally {
      await db.destroy();
    }
  });
}

/** @throws UsageError */
function optionsOf(args: readonly string[]): { from?: string | undefined; head?: string | undefined } {
  try {
    const { values } = parseArgs({ args: [...args], options: { from: { type: 'string' }, head: { type: 'string' } } });
    const { from = '1', head = NO_HEAD.hash } = values;
    if (/^[1-9]\d{0,14}$/.test(from) && /^[0-9a-f]{64}$/.test(head)) return values;
  } catch {
    // told below
  }
  throw new UsageError(USAGE);
}
