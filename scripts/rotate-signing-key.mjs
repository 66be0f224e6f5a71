// `npm run rotate-signing-key`: prepares the next key that signs access tokens. Nobody is signed out.
import { ready } from './ready.mjs';

await ready(async () => {
  const { runCommand } = await import('../server/operations/command.ts');
  const { encryptionKeys } = await import('../server/process/encryption-keys.ts');
  const { prepareNextKey } = await import('../backend/auth/signing-keys.ts');
  const { connect } = await import('../db/client.ts');
  const { createVault } = await import('../db/vault.ts');
  await runCommand(async (env, databaseUrl) => {
    const { db } = connect(databaseUrl, { max: 1 });
    try {
      const vault = createVault(encryptionKeys(env.encryptionKeys, env.dataDir));
      const { signsFrom } = await prepareNextKey(db, vault);
      console.log(
        `The next signing key is published, and signs from ${signsFrom.toISOString()} on. Nobody is signed out.\n` +
          'The one before is believed for two hours more, and then deleted.',
      );
    } finally {
      await db.destroy();
    }
  });
});
