import { connect } from '#db/connection/client.ts';
import { reachDatabase } from '#db/connection/reach-database.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { createVault } from '#db/sealed/vault.ts';
import { BadEnvironment, publicUrlOf, readEnv } from '#server/config/env.ts';
import { encryptionKeys } from '#server/process/encryption-keys.ts';
import { bigLists } from './seed/big.ts';
import { demoLists } from './seed/demo.ts';

import { SEED_EMAIL, seedPerson } from './seed/person.ts';
import { type SeedList, writeLists } from './seed/write-lists.ts';

/** What can be seeded, by name. `now` is the moment that ages count back from. */
export const SCENARIOS: Readonly<Record<string, (now: Date) => SeedList[]>> = { demo: demoLists, big: bigLists };

/**
 * Fills the database of this environment (DATA_DIR or DATABASE_URL, running or stopped) with the named scenarios, by default `demo`, and
 * prints how to look at them. Seeding again puts the same lists back as they were and leaves all others alone.
 */
export async function main(names: readonly string[]): Promise<void> {
  const wanted = names.length > 0 ? names : ['demo'];
  const unknown = wanted.filter((name) => !Object.hasOwn(SCENARIOS, name));
  if (unknown.length > 0)
    return refuse(`There is no scenario ${unknown.join(', ')}. Choose from: ${Object.keys(SCENARIOS).join(', ')}.`);
  try {
    await seed(process.env, wanted);
  } catch (error) {
    if (!(error instanceof BadEnvironment)) throw error;
    refuse(error.message);
  }
}

async function seed(environment: Record<string, string | undefined>, names: readonly string[]): Promise<void> {
  const env = readEnv(environment);
  if (env.production) return refuse('NODE_ENV=production: invented data is not put there.');
  const database = await reachDatabase(env);
  const { db } = connect(database.url);
  try {
    await migrate(database.url, { hosted: env.supabase !== undefined });
    const vault = createVault(encryptionKeys(env.encryptionKeys, env.dataDir));
    const userId = await seedPerson(db, vault);
    const now = new Date();
    for (const name of names) {
      const lists = SCENARIOS[name]?.(now) ?? [];
      await writeLists(db, userId, lists);
      console.log(`${name}: ${lists.length} ${lists.length === 1 ? 'list' : 'lists'} of ${SEED_EMAIL}`);
    }
  } finally {
    await db.destroy();
    await database.stop();
  }
  const site = publicUrlOf(env, env.port);
  console.log(
    `Sign in at ${site} as ${SEED_EMAIL}: ` +
      (env.smtpUrl ? 'the link goes out by SMTP_URL.' : `the server prints the link and keeps it at ${site}/outbox.`),
  );
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
