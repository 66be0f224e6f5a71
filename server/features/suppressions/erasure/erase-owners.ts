import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type ErasedSubject, patternOf } from './erased-subject.ts';

/** The subject as Hunter named them: leads that one of these calls filled may have that person as their owner. */
type Named = { calls: string[]; name: string };

/** Reads the names from the answers that are remembered. The same domain may have been paid for before. */
export async function findNames(db: Db, subject: ErasedSubject): Promise<Named[]> {
  if (subject.kind !== 'email') return [];
  const { rows } = await sql<Named>`
    with naming as materialized (
      select user_id, operation, subject, answer -> 'contacts' as contacts from app.answers
      where operation = 'domain_search' and jsonb_typeof(answer -> 'contacts') = 'array' and answer::text ~* ${patternOf(subject)}
    )
    select array_agg(distinct call.id::text) as calls, said.name
    from naming cross join jsonb_array_elements(naming.contacts) as one
      cross join lateral (
        select concat_ws(' ', nullif(btrim(one ->> 'firstName'), ''), nullif(btrim(one ->> 'lastName'), '')) as name) as said
      join app.paid_calls as call
        on call.user_id = naming.user_id and call.operation = naming.operation and call.subject = naming.subject
    where app.suppression_key('email', one ->> 'email') = ${subject.key} and said.name <> ''
    group by said.name
  `.execute(db);
  return rows;
}

const isOwner = ({ calls, name }: Named): RawBuilder<boolean> =>
  sql`(owner_call_id = any(${calls}::uuid[]) and owner_name = ${name})`;

/** The ids of leads that have the subject as their owner. Locks none. */
export async function findOwned(db: Db, names: readonly Named[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from public.leads where ${sql.join(names.map(isOwner), sql` or `)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Forgets the subject as the owner of leads that have the address of someone else, and returns their lists. */
export async function eraseOwners(tx: Tx, owned: readonly string[], names: readonly Named[]): Promise<string[]> {
  if (owned.length === 0) return [];
  const { rows } = await sql<{ list_id: string }>`
    update public.leads set owner_name = null, owner_title = null, owner_call_id = null
    where id = any(${owned}::uuid[]) and (${sql.join(names.map(isOwner), sql` or `)}) returning list_id
  `.execute(tx);
  return rows.map((row) => row.list_id);
}
