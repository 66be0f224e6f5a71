import { isCheckedLater, isExpired } from './findings.ts';
import { capMs } from './rules/rule.ts';
import { type CallAnswer, type CallQuestion, createJudge, type Judge, type Moment } from './verdict.ts';
import { LAST_CALL_MS } from './window/window-at.ts';

/** Moments that are tried one after another: more than open in the month for which a check counts. */
const MOST_TRIED = 100;

/** When a call may begin, and the last moment for it, in ms since 1970. `isInReview`: until then someone must look at it. */
export type CallTime = { from: number; to: number; isInReview: boolean };

/**
 * Finds when numbers may be called next. Returns undefined where nothing says that they may: what is unknown, in doubt or blocked
 * then has no time.
 * - `at`: the first moment that counts, for one number perhaps a later one, `from`. `until`: the last one.
 * - `answer`: what is said of that first moment, where it is known.
 */
export function createNextCall({ at, ...moment }: Moment) {
  const judges = new Map<number, Judge>();
  const judgeAt = (time: number, question: CallQuestion): CallAnswer => {
    const judge = judges.get(time) ?? createJudge({ ...moment, at: time });
    judges.set(time, judge);
    return judge(question);
  };
  const find = (question: CallQuestion, until: number, from: number, answer: CallAnswer): Opening | undefined => {
    let time = from;
    let isInReview = false;
    for (let tried = 0; tried < MOST_TRIED && time <= until; tried += 1) {
      const { verdict, window } = time === from ? answer : judgeAt(time, question);
      if (verdict === 'callable') return { from: time, closesAt: window.closesAt ?? time, isInReview };
      // Of hours that are read in two ways, all readings may let calls begin later.
      const isOfHours = verdict === 'review' && window.state === 'review';
      // What else speaks against it does not end by itself.
      if (verdict !== 'not_now' && !isOfHours) return undefined;
      if (time === from) isInReview = isOfHours;
      const later = [window.opensAt, ...releases(window.rules, question.calls ?? [])].filter(
        (one) => one !== undefined && one > time,
      );
      if (later.length === 0) return undefined;
      time = Math.min(...later.map(Number));
    }
    return undefined;
  };
  const shared = new Map<CallAnswer, { until: number; opening: Opening | undefined }>();
  const findShared = (question: CallQuestion, until: number, from: number, answer: CallAnswer) => {
    if (from !== at || !isSteady(question, at, until)) return find(question, until, from, answer);
    const known = shared.get(answer);
    if (known?.until === until) return known.opening;
    const opening = find(question, until, from, answer);
    shared.set(answer, { until, opening });
    return opening;
  };
  return (
    question: CallQuestion,
    until: number,
    { from = at, answer = judgeAt(from, question) }: { from?: number; answer?: CallAnswer } = {},
  ): CallTime | undefined => {
    const opening = findShared(question, until, from, answer);
    return (
      opening && {
        from: opening.from,
        to: lastMoment(opening.closesAt, question),
        isInReview: opening.isInReview,
      }
    );
  };
}

type Opening = Omit<CallTime, 'to'> & { closesAt: number };

/** Whether only the hours can change what is said of a number meanwhile: then all with its answer open together. */
const isSteady = ({ scrub, calls = [] }: CallQuestion, from: number, until: number): boolean =>
  calls.length === 0 &&
  isExpired(scrub, from) === isExpired(scrub, until) &&
  isCheckedLater(scrub, from) === isCheckedLater(scrub, until);

/** When a call leaves the hours in which calls are counted. */
const releases = (rules: CallAnswer['window']['rules'], calls: readonly number[]): number[] =>
  rules.flatMap(({ cap }) => (cap ? calls.map((call) => call + capMs(cap)) : []));

/** No call begins in the last seconds of a window, nor after the check has run out. */
const lastMoment = (closesAt: number, { scrub: { expiresAt } }: CallQuestion): number =>
  Math.min(closesAt - LAST_CALL_MS, expiresAt ?? Number.POSITIVE_INFINITY);
