import type { RawBuilder } from 'kysely';
import { createNextCall } from '#calling/next-call.ts';
import { type CallQuestion, createJudge } from '#calling/verdict.ts';
import type { SheetCallability } from '#contract/calling/calls.ts';
import type { Db } from '#db/connection/client.ts';
import { readQuestions } from '#server/calling/read-leads.ts';
import { readTerms } from '#server/calling/read-terms.ts';
import { isoOf, judged } from './judged.ts';

/**
 * A lead with what the rules say of it.
 * - `mayCall`: a call may begin. In a sandbox list, where nothing is callable, it is what a real list would say.
 * - `dialing`: whether a call that began at a time may be dialed, and what is then said of it: a cap counts it already. In ms since 1970.
 * - `nextAt`: when a call may begin next, in ms since 1970; undefined where time alone will not help.
 */
export type JudgedLead = {
  id: string;
  callability: SheetCallability;
  mayCall: boolean;
  dialing: (calledAt: number) => { mayDial: boolean; callability: SheetCallability };
  nextAt: number | undefined;
};

/**
 * Judges leads for a call sheet at a moment. `condition` as for `readQuestions`; `at` in ms since 1970.
 * - `notBefore`: for some leads, by id, the first moment at which they are to be called, in ms since 1970.
 */
export async function judgeForSheet(
  db: Db,
  condition: RawBuilder<boolean>,
  at: number,
  notBefore: ReadonlyMap<string, number> = new Map(),
): Promise<JudgedLead[]> {
  const terms = await readTerms(db);
  const judge = createJudge({ ...terms, at });
  const next = createNextCall({ ...terms, at });
  return (await readQuestions(db, condition, { at, rules: terms.rules })).map(({ id, question }) => {
    const asIfReal = question.scrub.sandbox ? { ...question, scrub: { ...question.scrub, sandbox: false } } : question;
    // The last moment is that of its check.
    const answer = judge(asIfReal);
    const time = next(asIfReal, Number.POSITIVE_INFINITY, { from: Math.max(at, notBefore.get(id) ?? at) });
    const times = { callFrom: isoOf(time?.from), callTo: isoOf(time?.to) };
    return {
      id,
      callability: { ...judged(judge(question)), ...times },
      mayCall: answer.verdict === 'callable',
      dialing: (calledAt) => ({
        mayDial: judge(withoutCall(asIfReal, calledAt)).verdict === 'callable',
        callability: { ...judged(judge(withoutCall(question, calledAt))), ...times },
      }),
      nextAt: time?.from,
    };
  });
}

/** A question about a number as if one call to it had not been made. Others of the same moment count. */
function withoutCall(question: CallQuestion, calledAt: number): CallQuestion {
  const { calls = [] } = question;
  const index = calls.indexOf(calledAt);
  return index === -1 ? question : { ...question, calls: calls.toSpliced(index, 1) };
}
