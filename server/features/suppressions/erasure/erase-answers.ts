import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type ErasedSubject, patternOf, usDigits } from './erased-subject.ts';

/** Answers about the subject. `answers`: where their rows are; `domains`: of websites. */
export type Answered = { answers: string[]; domains: string[] };

const ofProvider = (subject: ErasedSubject): RawBuilder<boolean> =>
  sql`(subject ~* ${patternOf(subject)} or answer::text ~* ${patternOf(subject)} or ${callsAbout(subject)})`;
const ofWebsite = (subject: ErasedSubject): RawBuilder<boolean> =>
  sql`(domain ~* ${patternOf(subject)} or visit::text ~* ${patternOf(subject)})`;

/** Reads every answer, and locks none. */
export async function findAnswers(db: Db, subject: ErasedSubject): Promise<Answered> {
  const { rows: answers } = await sql<{ at: string }>`
    select ctid::text as at from app.answers where ${ofProvider(subject)}`.execute(db);
  const { rows: websites } = await sql<{ domain: string }>`
    select domain from app.website_answers where ${ofWebsite(subject)}`.execute(db);
  return { answers: answers.map(({ at }) => at), domains: websites.map(({ domain }) => domain) };
}

/** Forgets what providers and websites said of the subject. What is asked again may cost again. */
export async function eraseAnswers(tx: Tx, subject: ErasedSubject, found: Answered): Promise<void> {
  // Looked at again: another row may stand in the place by now.
  await sql`delete from app.answers where ctid = any(${found.answers}::tid[]) and ${ofProvider(subject)}`.execute(tx);
  await sql`delete from app.website_answers where domain = any(${found.domains}) and ${ofWebsite(subject)}`.execute(tx);
}

/**
 * The ledger keeps its calls and their cost: where one was about a number or an email, it is about a hash from now on. One that is out
 * is so as soon as it ends.
 */
export async function eraseCalls(tx: Tx, subject: ErasedSubject): Promise<void> {
  const isAbout = callsAbout(subject);
  const erased = `erased ${subject.hash.slice(0, 16)}`;
  await sql`
    update app.paid_calls set subject = ${erased}, idempotency_key = 'erased ' || id
    where ${isAbout} and state in ('answered', 'failed', 'uncertain')
  `.execute(tx);
  // A run may have asked in several spellings.
  await sql`
    update app.recalls as recall set subject = ${erased}::text || case when named.place > 1 then ' ' || named.place else '' end
    from (select ctid as at, row_number() over (partition by run_id, operation order by subject) as place from app.recalls where ${isAbout}) as named
    where recall.ctid = named.at
  `.execute(tx);
}

/** Calls about the subject itself, or whose question mentions it. */
function callsAbout(subject: ErasedSubject): RawBuilder<boolean> {
  const mention = sql<boolean>`subject ~* ${patternOf(subject)}`;
  if (subject.kind === 'email')
    return sql`((operation = 'email_verify' and app.suppression_key('email', subject) = ${subject.key}) or ${mention})`;
  const digits = usDigits(subject);
  return digits === undefined ? mention : sql`((operation = 'phone_scrub' and subject = ${digits}) or ${mention})`;
}
