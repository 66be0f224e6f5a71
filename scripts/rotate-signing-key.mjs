// `npm run rotate-signing-key`: prepares the next key that signs access tokens; nobody is signed out. With `-- --revoke`, for a key
// that others may have: a new one at once, and everybody signs in again.
import { ready } from './ready.mjs';

await ready(async () => {
  const { runCommand, UsageError } = await import('../server/operations/command.ts');
  const { encryptionKeys } = await import('../server/process/encryption-keys.ts');
  const { endAllSessions, prepareNextKey, REVOKED_NOTICED_MS, revokeKeys } = await import(
    '../backend/auth/signing-keys.ts'
  );
  const { connect } = await import('../db/client.ts');
  const { createVault } = await import('../db/vault.ts');

  async function prepare(db, vault) {
    const { signsFrom } = await prepareNextKey(db, vault);
    console.log(
      `The next signing key is published, and signs from ${signsFrom.toISOString()} on. Nobody is signed out.\n` +
        'The one before is believed for two hours more, and then deleted.',
    );
  }

  async function revoke(db, vault) {
    await revokeKeys(db, vault);
    console.log(
      'Every signing key is revoked, every session has ended, and a new key signs. Servers that are running notice within a minute;\n' +
        'sessions that they begin until then are ended too. Waiting for that …',
    );
    await new Promise((resolve) => setTimeout(resolve, REVOKED_NOTICED_MS));
    await endAllSessions(db);
    console.log('Done. Everybody signs in again.');
  }

  await runCommand(async (env, databaseUrl) => {
    if (env.supabase) throw new UsageError('Hosted Supabase signs with keys of its own: rotate them in its dashboard.');
    const options = process.argv.slice(2);
    if (options.some((option) => option !== '--revoke'))
      throw new UsageError('Usage: npm run rotate-signing-key [-- --revoke]');
    const { db } = connect(databaseUrl, { max: 1 });
    try {
      const vault = createVault(encryptionKeys(env.encryptionKeys, env.dataDir));
      await (options.length > 0 ? revoke : prepare)(db, vault);
    } finally {
      await db.destroy();
    }
  });
});
