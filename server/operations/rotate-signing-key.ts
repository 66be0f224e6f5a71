import { setTimeout as sleep } from 'node:timers/promises';
import { endAllSessions, prepareNextKey, REVOKED_NOTICED_MS, revokeKeys } from '#backend/auth/signing-keys.ts';
import { connect, type Db } from '#db/client.ts';
import { createVault, type Vault } from '#db/vault.ts';
import { encryptionKeys } from '#server/process/encryption-keys.ts';
import { runCommand, UsageError } from './command.ts';

/** `npm run rotate-signing-key`, and `npm run rotate-signing-key -- --revoke` */
export function main(args: readonly string[]): Promise<void> {
  return runCommand(async (env, databaseUrl) => {
    if (env.supabase) throw new UsageError('Hosted Supabase signs with keys of its own: rotate them in its dashboard.');
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
    `The next signing key is published, and signs from ${signsFrom.toISOString()} on. Nobody is signed out.\n` +
      'The one before is believed for two hours more, and then deleted.',
  );
}

async function revoke(db: Db, vault: Vault): Promise<void> {
  await revokeKeys(db, vault);
  console.log(
    'Every signing key is revoked, every session has ended, and a new key signs. Servers that are running notice within a minute;\n' +
      'sessions that they begin until then are ended too. Waiting for that …',
  );
  await sleep(REVOKED_NOTICED_MS);
  await endAllSessions(db);
  console.log('Done. Everybody signs in again.');
}
