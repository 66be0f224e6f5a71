import { setTimeout as sleep } from 'node:timers/promises';
import { endAllSessions, prepareNextKey, REVOKED_NOTICED_MS, revokeKeys } from '#backend/backend.ts';
import { connect, type Db } from '#db/connection/client.ts';
import { createVault, type Vault } from '#db/sealed/vault.ts';
import { rulesOf } from '#server/footing/rules.ts';
import { encryptionKeys } from '#server/process/encryption-keys.ts';
import { runCommand, UsageError } from './command.ts';

/** `npm run rotate-signing-key`, and `npm run rotate-signing-key -- --revoke` */
export function main(args: readonly string[]): Promise<void> {
  return runCommand(async (env, databaseUrl) => {
    const { refusals } = rulesOf(env);
    if (refusals.rotateSigningKey) throw new UsageError(refusals.rotateSigningKey);
    if (args.some((arg) => arg !== '--revoke')) throw new UsageError('Usage: npm run rotate-signing-key [-- --revoke]');
    const { db } = connect(databaseUrl, { max: 1 });
    try {
      const vault = createVault(encryptionKeys(env.encryptionKeys, env.dataDir));
      await (args.length > 0 ? revoke : prepare)(db, vault);
    } finally {
      await db.destroy();
    }
  });
}

async function prepare(db: Db, vault: Vault): Promise<void> {
  const { signsFrom } = await prepareNextKey(db, vault);
  console.log(
    `The next signing key is published, and signs from ${signsFrom.toISOString()} on. No one is signed out.\n` +
      'The current key is accepted for two more hours, then deleted.',
  );
}

async function revoke(db: Db, vault: Vault): Promise<void> {
  await revokeKeys(db, vault);
  console.log(
    'Every signing key is revoked, every session has ended, and a new key signs. Running servers notice within a minute.\n' +
      'Sessions that they begin until then end too. Waiting for that …',
  );
  await sleep(REVOKED_NOTICED_MS);
  await endAllSessions(db);
  console.log('Done. Everyone must sign in again.');
}
