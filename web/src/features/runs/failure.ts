import { asksHunter } from '#contract/work/enrichment-steps.ts';
import type { ChosenLeads } from '#contract/work/lead-choice.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { LIST_RUN_KINDS, type ListRunKind, type Run } from '#contract/work/runs.ts';
import { wordsOf } from './work-words.ts';

/** Paid work on a list, with all that is needed to do exactly the same again. */
export type Work = {
  kind: ListRunKind;
  /** For a check or an enrichment: the leads that it was narrowed to. */
  chosen?: ChosenLeads | undefined;
  /** For a search: its request. Unset for the list's own search. */
  searchFor?: Run['searchFor'];
  /** For an enrichment: where it looks. Everywhere where that is not said. */
  steps?: Run['steps'];
  /** What its user let it cost at most, in micro-dollars, where that was less than its estimate. */
  spendAtMostMicros?: number | undefined;
};

/** Whether nothing of it is paid for, so that it needs no key. */
export const isFree = ({ kind, steps }: Work): boolean =>
  kind === 'enrichment' && steps !== undefined && !asksHunter(steps);

/** Why a list failed. `work`: what Retry repeats; undefined when no record says what it was. */
export type Failure = {
  work: Work | undefined;
  reason: string;
  code: string | undefined;
};

/** A refusal that this browser has seen and that no run tells of. `since` (ISO, the server's): no later than the refusal. */
export type Refusal = Failure & { work: Work; since: string };

/** The run of a list that ended last; the newest where none has. */
export function lastEnded(runs: readonly Run[]): Run | undefined {
  const ends = runs.filter(({ finishedAt }) => finishedAt !== null);
  return (
    ends.reduce<Run | undefined>((last, run) => (last && endOf(last) >= endOf(run) ? last : run), undefined) ?? runs[0]
  );
}
const endOf = ({ finishedAt }: Run): number => (finishedAt === null ? 0 : Date.parse(finishedAt));

/** The work of a run, from its own record. Undefined for one of no list. */
export function workOf({
  id,
  kind,
  leadIds,
  leadCount,
  searchFor,
  steps,
  boundMicros,
  estimateMicros,
}: Run): Work | undefined {
  const known = LIST_RUN_KINDS.find((one) => one === kind);
  if (!known) return undefined;
  // Work that failed before it was priced has its limit, and 0 as its estimate.
  const capped = boundMicros !== undefined && boundMicros !== estimateMicros;
  const ofRun = leadCount === undefined ? undefined : { choice: { of_run: id }, count: leadCount };
  const chosen = leadIds ? { choice: { lead_ids: leadIds }, count: leadIds.length } : ofRun;
  return {
    kind: known,
    chosen,
    searchFor,
    ...(steps ? { steps } : {}),
    ...(capped ? { spendAtMostMicros: boundMicros } : {}),
  };
}

const isLater = (run: Run | undefined, { since }: Refusal): boolean =>
  run !== undefined && Date.parse(run.createdAt) > Date.parse(since);

/** Whether a run of the same kind has begun since a refusal: then its work is no longer refused. */
export const isOver = (refusal: Refusal, run: Run | undefined): boolean =>
  isLater(run, refusal) && run?.kind === refusal.work.kind;

/**
 * Why a list failed: the newest of what this browser remembers of refusals and of what the run that ended last says of itself. A list that was never
 * searched waits for its own search. Of anything else no record is left, and nothing is guessed.
 *
 * @returns undefined while its runs are not known and might say more
 */
export function failureOf(
  { tier1Complete, leadCount }: Pick<LeadList, 'tier1Complete' | 'leadCount'>,
  last: Run | undefined,
  refusals: readonly Refusal[],
  areRunsKnown: boolean,
): Failure | undefined {
  const work = last && workOf(last);
  const hasFailed = last?.state === 'failed' || last?.state === 'cancelled';
  const refused = refusals.findLast((one) => !isOver(one, last));
  if (refused && !(hasFailed && isLater(last, refused))) return refused;
  if (last && work && hasFailed) {
    const otherwise = `The ${wordsOf(work).noun} ${last.state === 'cancelled' ? 'was canceled' : 'failed'}.`;
    return { work, reason: last.errorMessage ?? otherwise, code: last.errorCode ?? undefined };
  }
  if (!areRunsKnown) return undefined;
  const charged = 'did not start, and nothing was charged for it.';
  if (!tier1Complete && leadCount === 0)
    return { work: { kind: 'search' }, reason: `The search ${charged}`, code: undefined };
  return { work: undefined, reason: `The work on this list ${charged}`, code: undefined };
}
