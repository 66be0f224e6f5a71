import { restore } from '#db/backup/restore.ts';
import { rulesOf } from '#server/footing/rules.ts';
import { readArguments, runCommand } from './command.ts';

/** `npm run restore -- FILE [--replace]` */
export function main(args: readonly string[]): Promise<void> {
  return runCommand(async (env, databaseUrl) => {
    const { hostedRestore, restored } = rulesOf(env);
    const { file, options } = readArguments(args, 'npm run restore -- FILE [--replace]', ['--replace']);
    const { tables, takenAt } = await restore(databaseUrl, file, {
      folder: env.storageDir,
      replace: options.includes('--replace'),
      hosted: hostedRestore,
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `Restored ${rows} rows of ${tables.length} tables, as they were on ${takenAt}. Counts and hashes match the backup.\n` +
        'It holds no suppressions or erasures from after that time. Before anyone calls, read "After a restore" in docs/operations.md.\n' +
        'The server needs the encryption keys from that time: ENCRYPTION_KEYS, or secrets.json in DATA_DIR.',
    );
    if (restored) console.log(restored);
  });
}
