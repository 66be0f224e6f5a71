import { setImmediate as othersTurn } from 'node:timers/promises';
import type { RawBuilder } from 'kysely';
import { createNextCall } from '#calling/next-call.ts';
import { type CallAnswer, createJudge } from '#calling/verdict.ts';
import type { Db } from '#db/connection/client.ts';
import { type LeadQuestion, readQuestions } from './read-leads.ts';
import { readTerms, type Terms } from './read-terms.ts';

/** Leads judged before others have their turn. */
const AT_ONCE = 5_000;

export type JudgedLead = LeadQuestion & { answer: CallAnswer };

/** Judges leads at a moment, in ms since 1970, in their order. `condition` as for `readQuestions`. */
export async function judgeLeads(
  db: Db,
  condition: RawBuilder<boolean>,
  at: number,
  known?: Terms,
): Promise<JudgedLead[]> {
  // One after the other: a transaction has one connection, and a request should not take more.
  const terms = known ?? (await readTerms(db));
  const judge = createJudge({ ...terms, at });
  return inTurns(await readQuestions(db, condition, at), (lead) => ({ ...lead, answer: judge(lead.question) }));
}

/** Those of the leads that may be called at some moment from `at` until `until`. What is unknown, in doubt or blocked never may. */
export async function callableWithin(
  db: Db,
  condition: RawBuilder<boolean>,
  at: number,
  until: number,
): Promise<LeadQuestion[]> {
  const next = createNextCall({ ...(await readTerms(db)), at });
  const leads = await readQuestions(db, condition, at);
  const found = await inTurns(leads, (lead) => (next(lead.question, until) ? [lead] : []));
  return found.flat();
}

async function inTurns<T, R>(all: readonly T[], work: (one: T) => R): Promise<R[]> {
  const done: R[] = [];
  for (const [number, one] of all.entries()) {
    if (number % AT_ONCE === AT_ONCE - 1) await othersTurn();
    done.push(work(one));
  }
  return done;
}
