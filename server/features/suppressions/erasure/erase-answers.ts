import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { type ErasedSubject, patternOf, usDigits } from './erased-subject.ts';

/**
 * Forgets what providers and websites said of the subject. What is asked again may cost again.
 * The ledger keeps its calls and their cost: where one was about a number, it is about a hash from now on.
 */
export async function eraseAnswers(tx: Tx, subject: ErasedSubject): Promise<void> {
  const pattern = patternOf(subject);
  await sql`delete from app.answers where subject ~* ${pattern} or answer::text ~* ${pattern}`.execute(tx);
  await sql`delete from app.website_answers where domain ~* ${pattern} or visit::text ~* ${pattern}`.execute(tx);
  // Others may name the subject on their website.
  await sql`
    update public.leads set site_visit = null where site_visit is not null and site_visit::text ~* ${pattern}
  `.execute(tx);
  const digits = usDigits(subject);
  if (digits === undefined) return;
  const erased = `erased ${subject.hash.slice(0, 16)}`;
  await sql`
    update app.paid_calls set subject = ${erased}
    where operation = 'phone_scrub' and subject = ${digits} and state in ('answered', 'failed', 'uncertain')
  `.execute(tx);
  await sql`update app.recalls set subject = ${erased} where operation = 'phone_scrub' and subject = ${digits}`.execute(
    tx,
  );
}
