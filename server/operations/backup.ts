import { statSync } from 'node:fs';
import { backUp } from '#db/backup/back-up.ts';
import { rulesOf } from '#server/footing/rules.ts';
import { readArguments, runCommand, UsageError } from './command.ts';

/** `npm run backup -- FILE` */
export function main(args: readonly string[]): Promise<void> {
  return runCommand(async (env, databaseUrl) => {
    const { refusals } = rulesOf(env);
    if (refusals.backup) throw new UsageError(refusals.backup);
    const { file } = readArguments(args, 'npm run backup -- FILE');
    const { tables } = await backUp(databaseUrl, file, env.storageDir);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `Saved ${rows} rows of ${tables.length} tables to ${file} (${statSync(file).size} bytes).\n` +
        'It does not hold the encryption keys. Keep ENCRYPTION_KEYS, or DATA_DIR/secrets.json, somewhere else.\n' +
        'Without them the stored provider keys cannot be read.',
    );
  });
}
