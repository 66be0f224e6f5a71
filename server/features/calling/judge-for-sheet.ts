import type { RawBuilder } from 'kysely';
import { type CallAnswer, type CallQuestion, createJudge } from '#calling/verdict.ts';
import type { Callability } from '#contract/calling/callability.ts';
import type { Db } from '#db/connection/client.ts';
import { readQuestions } from '#server/calling/read-leads.ts';
import { readTerms } from '#server/calling/read-terms.ts';
import { judged } from './judged.ts';

const HOUR_MS = 3_600_000;

/**
 * A lead with what the rules say of it.
 * - `mayCall`: a call may begin. In a sandbox list, where nothing is callable, it is what a real list would say.
 * - `notBefore`: when it may be callable again, in ms since 1970; undefined where time alone will not help.
 */
export type JudgedLead = { id: string; callability: Callability; mayCall: boolean; notBefore: number | undefined };

/** Judges leads for a call sheet at a moment. `condition` as for `readQuestions`; `at` in ms since 1970. */
export async function judgeForSheet(db: Db, condition: RawBuilder<boolean>, at: number): Promise<JudgedLead[]> {
  const terms = await readTerms(db);
  const judge = createJudge({ ...terms, at });
  return (await readQuestions(db, condition, { at, rules: terms.rules })).map(({ id, question }) => {
    const answer = judge(question);
    const asIfReal = question.scrub.sandbox
      ? judge({ ...question, scrub: { ...question.scrub, sandbox: false } })
      : answer;
    return {
      id,
      callability: judged(answer),
      mayCall: asIfReal.verdict === 'callable',
      notBefore: notBefore(asIfReal, question.calls ?? [], at),
    };
  });
}

/** When the hours are open and the caps have room. */
function notBefore({ verdict, window }: CallAnswer, calls: NonNullable<CallQuestion['calls']>, at: number) {
  if (verdict !== 'not_now') return undefined;
  const capsEnd = window.rules.flatMap(({ cap }) => {
    if (!cap) return [];
    const counted = calls.filter((one) => one <= at && at - one < cap.hours * HOUR_MS).toSorted((a, b) => a - b);
    const first = counted.at(-cap.calls);
    return first === undefined || counted.length < cap.calls ? [] : [first + cap.hours * HOUR_MS];
  });
  const moments = [...capsEnd, ...(window.opensAt === undefined ? [] : [window.opensAt])];
  return moments.length > 0 ? Math.max(...moments) : undefined;
}
