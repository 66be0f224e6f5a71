import type { RawBuilder } from 'kysely';
import { createNextCall } from '#calling/next-call.ts';
import { type CallAnswer, createJudge } from '#calling/verdict.ts';
import type { Db } from '#db/connection/client.ts';
import { type LeadQuestion, questionsInParts } from './read-leads.ts';
import { readTerms, type Terms } from './read-terms.ts';

export type JudgedLead = LeadQuestion & { answer: CallAnswer };

/** Judges leads at a moment, in ms since 1970, in their order, some at a time. `condition` as for `questionsInParts`. */
export async function* judgeInParts(
  db: Db,
  condition: RawBuilder<boolean>,
  at: number,
  known?: Terms,
): AsyncGenerator<JudgedLead[]> {
  // One after the other: a transaction has one connection, and a request should not take more.
  const terms = known ?? (await readTerms(db));
  const judge = createJudge({ ...terms, at });
  for await (const leads of questionsInParts(db, condition, { at, rules: terms.rules }))
    yield leads.map(({ id, position, question, checkedAt }) => ({
      id,
      position,
      question,
      checkedAt,
      answer: judge(question),
    }));
}

/** The same, all at once. */
export async function judgeLeads(db: Db, condition: RawBuilder<boolean>, at: number): Promise<JudgedLead[]> {
  const judged: JudgedLead[] = [];
  for await (const some of judgeInParts(db, condition, at)) judged.push(...some);
  return judged;
}

/** Those of the leads that may be called at some moment from `at` until `until`. What is unknown, in review or blocked at `at` is left out. */
export async function callableWithin(
  db: Db,
  condition: RawBuilder<boolean>,
  at: number,
  until: number,
): Promise<LeadQuestion[]> {
  const terms = await readTerms(db);
  const next = createNextCall({ ...terms, at });
  const found: LeadQuestion[] = [];
  for await (const leads of questionsInParts(db, condition, { at, rules: terms.rules }))
    found.push(...leads.filter(({ question }) => next(question, until)?.isInReview === false));
  return found;
}
