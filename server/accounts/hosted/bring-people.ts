import type { User } from '@supabase/supabase-js';
import { BackupError } from '#db/backup/backup-error.ts';
import type { Person } from '#db/backup/read-backend.ts';
import { type AdminClient, FOR_GOOD } from './admin-client.ts';

const PER_PAGE = 1000;
const AT_ONCE = 8;
/** How many of those who are in the way are named. */
const NAMED = 5;

/**
 * Gives the people of a backup accounts at hosted Supabase, with the ids that our rows know them by and their confirmed numbers.
 * Safe to repeat: who has an account already is passed over.
 * @throws BackupError before anything is written when someone cannot have theirs; later when Supabase does not answer.
 */
export async function bringPeople(admin: AdminClient, people: readonly Person[]): Promise<void> {
  const accounts = await listAccounts(admin);
  const addressOf = new Map(accounts.map(({ id, email }) => [id, email?.toLowerCase()]));
  const taken = new Set(addressOf.values());
  const numbers = new Set(accounts.map(({ phone }) => phone));
  const isThere = ({ id, email }: Person) => addressOf.has(id) && addressOf.get(id) === email?.toLowerCase();
  const missing = people.filter((person) => !isThere(person));
  refuse(
    missing.filter(({ email }) => !email),
    'Supabase accounts need an email address. It is missing for',
    'Delete them, make another backup, and restore that.',
  );
  refuse(
    missing.filter(({ id, email }) => addressOf.has(id) || taken.has(email?.toLowerCase())),
    'Another account at Supabase has the address, or the id, of',
    'Delete it there (Authentication → Users), then restore.',
  );
  refuse(
    missing.filter(({ phone }) => phone && numbers.has(phone)),
    'Another account at Supabase has the phone number of',
    'Remove it there (Authentication → Users), then restore.',
  );
  for (let start = 0; start < missing.length; start += AT_ONCE)
    await Promise.all(missing.slice(start, start + AT_ONCE).map((person) => makeAccount(admin, person)));
}

async function listAccounts(admin: AdminClient): Promise<User[]> {
  const found: User[] = [];
  for (let page = 1; ; page += 1) {
    const { data, error } = await admin.listUsers({ page, perPage: PER_PAGE });
    if (error)
      throw new BackupError(
        `Supabase did not list its accounts (${error.code ?? error.message}). Nothing was changed.`,
        {
          cause: error,
        },
      );
    // The server may allow fewer for a page than were asked for.
    if (data.users.length === 0) return found;
    found.push(...data.users);
  }
}

async function makeAccount(admin: AdminClient, person: Person): Promise<void> {
  const ban = banOf(person);
  const { error } = await admin.createUser({
    id: person.id,
    ...(person.email ? { email: person.email } : {}),
    email_confirm: true,
    ...(person.phone ? { phone: person.phone, phone_confirm: true } : {}),
    user_metadata: person.userMetadata,
    app_metadata: person.appMetadata,
    ...(ban ? { ban_duration: ban } : {}),
  });
  if (error)
    throw new BackupError(
      `Supabase did not create the account for ${person.email} (${error.code ?? error.message}). The database is as it was. ` +
        'Restore again: it continues with the missing accounts.',
      { cause: error },
    );
}

function banOf({ bannedUntil, disabled }: Person): string | undefined {
  if (disabled) return FOR_GOOD;
  const seconds = bannedUntil ? Math.ceil((bannedUntil.getTime() - Date.now()) / 1000) : 0;
  return seconds > 0 ? `${seconds}s` : undefined;
}

function refuse(people: readonly Person[], problem: string, remedy: string): void {
  if (people.length === 0) return;
  const names = people.slice(0, NAMED).map(({ email, id }) => email ?? id);
  const more = people.length > NAMED ? ` and ${people.length - NAMED} more` : '';
  throw new BackupError(`${problem} ${names.join(', ')}${more}. ${remedy} Nothing was changed.`);
}
