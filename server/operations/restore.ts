import { restore } from '#db/backup/restore.ts';
import { adminClient } from '#server/accounts/hosted/admin-client.ts';
import { bringPeople } from '#server/accounts/hosted/bring-people.ts';
import { toHostedStorage } from '#server/features/exports/bring-export.ts';
import { readArguments, runCommand } from './command.ts';

/** `npm run restore -- FILE [--replace]` */
export function main(args: readonly string[]): Promise<void> {
  return runCommand(async ({ supabase, storageDir }, databaseUrl) => {
    const { file, options } = readArguments(args, 'npm run restore -- FILE [--replace]', ['--replace']);
    const { tables, takenAt } = await restore(databaseUrl, file, {
      folder: storageDir,
      replace: options.includes('--replace'),
      hosted: supabase && {
        bringPeople: (people) => bringPeople(adminClient(supabase), people),
        bringExport: toHostedStorage(supabase),
      },
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `Restored ${rows} rows of ${tables.length} tables, as they were on ${takenAt}. Counts and hashes match the backup.\n` +
        'The server needs the encryption keys from that time: ENCRYPTION_KEYS, or secrets.json in DATA_DIR.',
    );
    if (supabase)
      console.log(
        'Everyone has an account at Supabase. Browsers stay signed in if the site keeps its address. Kept exports are in Supabase Storage.',
      );
  });
}
