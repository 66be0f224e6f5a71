import type { HostedRestore } from '#db/backup/restore.ts';
import { adminClient } from '#server/accounts/hosted/admin-client.ts';
import { bringPeople } from '#server/accounts/hosted/bring-people.ts';
import type { Env } from '#server/config/env.ts';
import { toHostedStorage } from './hosted-storage.ts';

/** What differs for commands, and for a start before anything is open. */
export type FootingRules = {
  /** Who has the schema of sign-in: hosted Supabase, or we. */
  database: { hosted: boolean };
  /** Whether sign-in mails go out through our mail server. */
  mailsSignIn: boolean;
  /** Where a restore brings people and files that the database does not hold, and what it says then. */
  hostedRestore?: HostedRestore;
  restored?: string;
  /** Why a command cannot be run here, and what to do instead. */
  refusals: { backup?: string; rotateSigningKey?: string };
};

/** Hosted Supabase where it is configured, our own backend otherwise. */
export function rulesOf({ supabase }: Env): FootingRules {
  if (!supabase) return { database: { hosted: false }, mailsSignIn: true, refusals: {} };
  return {
    database: { hosted: true },
    mailsSignIn: false,
    hostedRestore: {
      bringPeople: (people) => bringPeople(adminClient(supabase), people),
      bringExport: toHostedStorage(supabase),
    },
    restored:
      'Everyone has an account at Supabase. Browsers stay signed in if the site keeps its address. Kept exports are in Supabase Storage.',
    refusals: {
      backup: 'Hosted Supabase makes its own backups. This command does not work with it.',
      rotateSigningKey: 'Hosted Supabase signs with its own keys. Rotate them in its dashboard.',
    },
  };
}
