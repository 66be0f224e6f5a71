import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BackupError } from '#db/backup/backup-error.ts';
import { reachDatabase } from '#db/connection/reach-database.ts';
import { MigrationError } from '#db/migrations/apply-migrations.ts';
import { VaultError } from '#db/sealed/vault.ts';
import { BadEnvironment, type Env, readEnv } from '#server/config/env.ts';

/** A command was called in a way it does not know. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * Runs an operator's command on the database of this environment (DATABASE_URL or DATA_DIR, running or stopped).
 * What the operator can do something about is said in one line; everything else is thrown. Both end with exit code 1.
 */
export async function runCommand(work: (env: Env, databaseUrl: string) => Promise<void>): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  try {
    const env = readEnv(process.env);
    const database = await reachDatabase(env);
    try {
      await work(env, database.url);
    } finally {
      await database.stop();
    }
  } catch (error) {
    process.exitCode = 1;
    if (!isForOperators(error)) throw error;
    console.error(error.message);
  }
}

/** The one file that a command was given, as seen from where it was typed; `--name` arguments are its options. */
export function readArguments(args: readonly string[], usage: string, known: readonly string[] = []) {
  const options = args.filter((arg) => arg.startsWith('--'));
  const [file, ...more] = args.filter((arg) => !arg.startsWith('--'));
  if (!file || more.length > 0 || options.some((option) => !known.includes(option)))
    throw new UsageError(`Usage: ${usage}`);
  return { file: resolve(process.env.INIT_CWD ?? '.', file), options };
}

function isForOperators(error: unknown): error is Error {
  const expected = [BackupError, BadEnvironment, MigrationError, UsageError, VaultError];
  return expected.some((type) => error instanceof type) || (error instanceof Error && error.constructor === Error);
}
