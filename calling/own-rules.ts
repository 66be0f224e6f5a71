import { counted } from './findings.ts';
import type { Rule } from './rules/rule.ts';
import { RULES } from './rules/rule.ts';

/** What administrators may ask for beyond the law. `days` from 0 (Sunday) to 6; none bars every call. `state`: US for everywhere. */
export type OwnRule = {
  id: string;
  state: string;
  days: readonly number[];
  from: string;
  to: string;
  cap?: { calls: number; hours: number } | undefined;
  /** As 2026-11-25. */
  effectiveFrom?: string | undefined;
  effectiveTo?: string | undefined;
  reason: string;
  /** The day on which it was added. */
  addedOn: string;
};

/** A rule of the workspace as one that the engine applies beside the law. It can only take hours away. */
export const asRule = ({
  id,
  state,
  days,
  from,
  to,
  cap,
  effectiveFrom,
  effectiveTo,
  reason,
  addedOn,
}: OwnRule): Rule => ({
  state,
  scope: 'any',
  lines: 'all',
  days: [...days],
  ...(days.length > 0 ? { from, to } : {}),
  holidays: false,
  bansMobiles: false,
  ...(cap ? { cap } : {}),
  ...(effectiveFrom ? { effectiveFrom } : {}),
  ...(effectiveTo ? { effectiveTo } : {}),
  own: id,
  citation: `your own rule, not a law: “${reason}”`,
  source: 'An administrator of this workspace',
  reviewedOn: addedOn,
  confidence: 'read',
});

export const WEEK = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export type Wanted = Pick<OwnRule, 'state' | 'days' | 'from' | 'to' | 'cap' | 'effectiveFrom' | 'effectiveTo'>;

/**
 * Where a rule would allow more than the law does, in words; empty for one that is as strict or stricter.
 * - Measured against the strictest reading for every kind of line, and each version of a law that holds in its time.
 * - `today` as 2026-11-25: what ended before counts no more.
 */
export function looserThanLaw(wanted: Wanted, today: string): string[] {
  const from = [wanted.effectiveFrom ?? today, today].toSorted().at(-1) ?? today;
  const laws = [
    ...Map.groupBy(
      RULES.filter(
        ({ state, lines, effectiveFrom, effectiveTo }) =>
          (state === 'US' || state === wanted.state) &&
          lines === 'all' &&
          (effectiveTo === undefined || effectiveTo >= from) &&
          (effectiveFrom === undefined || wanted.effectiveTo === undefined || effectiveFrom <= wanted.effectiveTo),
      ),
      ({ state, citation }) => `${state} ${citation}`,
    ).values(),
  ];
  return [...new Set(laws.flatMap((law) => looserThan(wanted, law)))];
}

/** The rows of a law together: what none of them opens is closed. */
function looserThan({ days, from, to, cap }: Wanted, law: readonly Rule[]): string[] {
  const [{ citation = '' } = {}] = law;
  const hours = days.flatMap((day) => {
    const open = law.find((row) => row.days.includes(day));
    if (open?.from === undefined || open.to === undefined) return [`${citation} allows no calls on ${WEEK[day]}.`];
    return [
      ...(from < open.from ? [`${from} is earlier than ${open.from}, when ${citation} lets calls begin.`] : []),
      ...(to > open.to ? [`${to} is later than ${open.to}, when ${citation} ends them.`] : []),
    ];
  });
  const caps = law.flatMap((row) =>
    cap && row.cap && (cap.calls > row.cap.calls || cap.hours < row.cap.hours)
      ? [`${citation} allows ${counted(row.cap.calls, 'call')} in ${counted(row.cap.hours, 'hour')}.`]
      : [],
  );
  return [...hours, ...caps];
}
