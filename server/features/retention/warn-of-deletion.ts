import { sql } from 'kysely';
import { DELETION_WARNING_DAYS, RETENTION_DAYS } from '#contract/work/retention.ts';
import type { Deps } from '#server/deps.ts';
import { days } from './age.ts';
import { type DoomedList, deletionMail } from './deletion-mail.ts';

const PEOPLE_AT_ONCE = 100;
/** Two sweeps that come close together, because the first was cut short, still write to a person once. */
const ONE_MAIL_IN_HOURS = 20;

/** Archived long enough to be announced, and not announced since. */
const due = sql`list.lifecycle_status = 'archived' and not list.keep and list.archived_at <= now() - ${days(RETENTION_DAYS - DELETION_WARNING_DAYS)}
  and not exists (select from app.deletion_warnings where list_id = list.id and archived_at = list.archived_at)`;

/** A list that could not be announced in time, because no sweep ran, is announced late and deleted later. */
const deletesAt = sql`greatest(list.archived_at + ${days(RETENTION_DAYS)}, now() + ${days(DELETION_WARNING_DAYS)})`;

/** Mails everyone whose lists will be deleted in seven days. Whom a mail cannot reach is tried again by the next sweep. */
export async function warnOfDeletion(
  deps: Pick<Deps, 'db' | 'sendMail' | 'siteUrl' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const people = await peopleToWarn(deps.db, last);
    for (const person of people) {
      if (signal.aborted) return;
      await warn(deps, person).catch((error: unknown) =>
        deps.log.warn({ err: error, userId: person.id }, 'a list deletion warning could not be emailed'),
      );
      last = person.id;
    }
    if (people.length < PEOPLE_AT_ONCE) return;
  }
}

type Person = { id: string; email: string };

async function peopleToWarn(db: Deps['db'], after: string): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select user_id as id, email from app.profiles as person
    where user_id > ${after}
      and exists (select from public.lists as list where list.user_id = person.user_id and ${due})
      and not exists (
        select from app.deletion_warnings as warning join public.lists as list on list.id = warning.list_id
        where list.user_id = person.user_id and warning.warned_at > now() - ${ONE_MAIL_IN_HOURS} * interval '1 hour')
    order by user_id limit ${PEOPLE_AT_ONCE}
  `.execute(db);
  return rows;
}

/** A process that dies in between mails again, rather than not at all. */
async function warn({ db, sendMail, siteUrl }: Pick<Deps, 'db' | 'sendMail' | 'siteUrl'>, person: Person) {
  const { rows: lists } = await sql<DoomedList>`
    select id, name, ${deletesAt} as "deletesAt" from public.lists as list
    where user_id = ${person.id} and ${due} order by archived_at, id
  `.execute(db);
  if (lists.length === 0) return;
  await sendMail({ to: person.email, ...deletionMail(lists, siteUrl) });
  await sql`
    insert into app.deletion_warnings (list_id, archived_at, deletes_at)
    select id, archived_at, ${deletesAt} from public.lists as list
    where id = any(${lists.map((list) => list.id)}::uuid[]) and ${due}
    on conflict (list_id) do update
    set archived_at = excluded.archived_at, warned_at = now(), deletes_at = excluded.deletes_at
  `.execute(db);
}
