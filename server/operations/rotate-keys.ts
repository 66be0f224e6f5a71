import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { connect, type Db } from '#db/connection/client.ts';
import { countSealed } from '#db/sealed/count-sealed.ts';
import { reseal } from '#db/sealed/reseal.ts';
import { sealedColumns } from '#db/sealed/sealed-columns.ts';
import { createVault, type Vault } from '#db/sealed/vault.ts';
import type { Env } from '#server/config/env.ts';
import { rulesOf } from '#server/footing/rules.ts';
import {
  encryptionKeys,
  KEYS_NOTICED_MS,
  newEncryptionKey,
  writeEncryptionKeys,
} from '#server/process/encryption-keys.ts';
import { runCommand, UsageError } from './command.ts';

/** Advisory lock of the one rotation that may be under way. */
const ROTATION_LOCK = 7_002;

/** `npm run rotate-keys`, and `npm run rotate-keys -- --drop-old` */
export function main(args: readonly string[]): Promise<void> {
  return runCommand(async (env, databaseUrl) => {
    if (args.some((arg) => arg !== '--drop-old')) throw new UsageError('Usage: npm run rotate-keys [-- --drop-old]');
    // One connection for the lock, one for the work.
    const { db } = connect(databaseUrl, { max: 2 });
    try {
      await db.connection().execute(async (session) => {
        await lockRotation(session);
        await (args.length > 0 ? dropOld(env, db) : rotate(env, db));
      });
    } finally {
      await db.destroy();
    }
  });
}

async function rotate(env: Env, db: Db): Promise<void> {
  const vault = createVault(await keysToSealWith(env, db));
  let unopened = 0;
  for (const column of sealedColumnsOf(env)) {
    const result = await reseal(db, vault, column);
    console.log(`${column.table}.${column.column}: ${result.resealed} sealed with the new key`);
    unopened += result.unopened;
  }
  if (unopened > 0)
    throw new Error(
      `${unopened} secrets could not be opened with any of the keys and were left as they are. Add the key they were sealed with, ` +
        'and run this again. Keep the old keys.',
    );
  console.log(
    `Everything is sealed with the new key. ${
      env.encryptionKeys.length > 0
        ? 'The old ones can be dropped from ENCRYPTION_KEYS'
        : 'The old ones can be dropped: npm run rotate-keys -- --drop-old'
    }.\nBackups that were made before need the old key: keep a copy of it for as long as you keep them.`,
  );
}

/** With keys in the environment, those; else the file's, with a new one added unless an earlier rotation has not finished. */
async function keysToSealWith(env: Env, db: Db): Promise<readonly string[]> {
  if (env.encryptionKeys.length > 1) return env.encryptionKeys;
  if (env.encryptionKeys.length === 1)
    throw new UsageError(
      'ENCRYPTION_KEYS has one key. Put a new one before it, separated by a comma (make one with: openssl rand -base64 32), restart ' +
        'every server with both, then run this again.',
    );
  const keys = encryptionKeys([], env.dataDir);
  if (await isUnfinished(env, db, createVault(keys))) return keys;
  const more = [newEncryptionKey(), ...keys];
  writeEncryptionKeys(env.dataDir, more);
  console.log('Added a new key to secrets.json in DATA_DIR.');
  await sleep(2 * KEYS_NOTICED_MS); // until a running server opens with it
  return more;
}

async function dropOld(env: Env, db: Db): Promise<void> {
  if (env.encryptionKeys.length > 0)
    throw new UsageError('The keys are in ENCRYPTION_KEYS: remove the old ones there, and restart every server.');
  const [first = '', ...old] = encryptionKeys([], env.dataDir);
  if (await isUnfinished(env, db, createVault([first, ...old])))
    throw new UsageError('The old keys are still needed. Run this first: npm run rotate-keys');
  writeEncryptionKeys(env.dataDir, [first]);
  console.log(`Dropped ${old.length === 1 ? 'the old key' : `${old.length} old keys`} from secrets.json in DATA_DIR.`);
}

const sealedColumnsOf = (env: Env) => sealedColumns(rulesOf(env).database);

const isUnfinished = async (env: Env, db: Db, vault: Vault) =>
  (await countSealed(db, sealedColumnsOf(env))).some(({ keyId }) => keyId !== vault.keyIds[0]);

async function lockRotation(session: Db): Promise<void> {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${ROTATION_LOCK}) as mine`.execute(session);
  if (!rows[0]?.mine) throw new UsageError('Another process is already rotating the keys.');
}
