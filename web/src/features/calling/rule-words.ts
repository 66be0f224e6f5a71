import { z } from 'zod/mini';
import { dayAnywhere, type NewOwnRule, type OwnRule } from '#contract/calling/rules.ts';
import { formatDay, formatHour, plural } from '#web/lib/format/format.ts';

const WEEK = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
export const WEEKDAYS = WEEK.map((label, day) => ({ label, day }));

/** A rule in one line: "FL: 9:00 AM–5:00 PM Mon, Tue; at most 2 calls in 24 hours; from Dec 1, 2026". */
export function ruleText({ state, days, from, to, cap, effectiveFrom, effectiveTo }: OwnRule): string {
  const when = days.length === 7 ? 'every day' : days.map((day) => WEEK[day]).join(', ');
  return [
    `${state === 'US' ? 'Everywhere' : state}: ${days.length === 0 ? 'no calls' : `${formatHour(from)}–${formatHour(to)} ${when}`}`,
    ...(cap ? [`at most ${plural(cap.calls, 'call')} in ${plural(cap.hours, 'hour')}`] : []),
    ...(effectiveFrom ? [`from ${formatDay(effectiveFrom)}`] : []),
    ...(effectiveTo ? [`until ${formatDay(effectiveTo)}`] : []),
  ].join('; ');
}

/** Whether the last day of a rule is over, everywhere in the United States. `now` in ms since 1970. */
export const hasLapsed = ({ effectiveTo }: OwnRule, now: number): boolean =>
  effectiveTo !== undefined && effectiveTo < dayAnywhere(now);

/** What someone types of a rule. */
export const RuleDraft = z.object({
  state: z.string(),
  days: z.array(z.number()),
  from: z.string(),
  to: z.string(),
  calls: z.string(),
  hours: z.string(),
  effectiveFrom: z.string(),
  effectiveTo: z.string(),
  reason: z.string(),
});
export type RuleDraft = z.infer<typeof RuleDraft>;

export const EMPTY_RULE: RuleDraft = {
  state: '',
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '17:00',
  calls: '',
  hours: '',
  effectiveFrom: '',
  effectiveTo: '',
  reason: '',
};

/** The same as the product API takes it. */
export const toRule = (draft: RuleDraft): NewOwnRule => ({
  state: draft.state.trim().toUpperCase(),
  days: draft.days,
  from: draft.from,
  to: draft.to,
  ...(draft.calls || draft.hours ? { cap: { calls: Number(draft.calls), hours: Number(draft.hours) } } : {}),
  ...(draft.effectiveFrom ? { effectiveFrom: draft.effectiveFrom } : {}),
  ...(draft.effectiveTo ? { effectiveTo: draft.effectiveTo } : {}),
  reason: draft.reason.trim(),
});
