import { type Wanted, WEEK } from './own-rules.ts';

type Hours = { from: string; to: string };

const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;

/**
 * Why a rule cannot stand beside older ones of its state, in words; empty if it can.
 * - It may not name hours that they close: nothing would come of those, or a day would open.
 * - It may not change nothing: who adds it wants something closed.
 * - `today` as 2026-11-25: days before it count no more.
 */
export function misfitsOwnRules(wanted: Wanted, older: readonly Wanted[], today: string): string[] {
  const beside = older.filter(({ state }) => state === wanted.state);
  const closed = new Set<number>();
  let changes = wanted.cap !== undefined;
  for (const day of daysThatDiffer(wanted, beside, today)) {
    const weekday = new Date(day).getUTCDay();
    const now = beside.filter((rule) => isInForce(rule, day));
    // Nothing to measure against, or a time without calls, behind which this rule may hold.
    if (now.length === 0 || now.some(({ days }) => days.length === 0)) {
      changes = true;
      continue;
    }
    const before = hoursOn(now, weekday);
    const after = hoursOn([...now, wanted], weekday);
    if (after?.from !== before?.from || after?.to !== before?.to) changes = true;
    if (wanted.days.includes(weekday) && (before === undefined || after === undefined)) closed.add(weekday);
  }
  if (closed.size > 0) return [...closed].toSorted().map((weekday) => closedText(wanted, weekday));
  return changes ? [] : ['This one takes none away: days that it does not name stay as they are.'];
}

const closedText = ({ from, to }: Hours, weekday: number): string =>
  `They close ${WEEK[weekday]} from ${from} to ${to}.`;

/** What own rules of a state leave open on a weekday, as the engine reads them. */
function hoursOn(rules: readonly Wanted[], weekday: number): Hours | undefined {
  if (rules.some(({ days }) => days.length === 0)) return undefined;
  const naming = rules.filter(({ days }) => days.includes(weekday));
  const from = naming
    .map((rule) => rule.from)
    .toSorted()
    .at(-1);
  const to = naming
    .map((rule) => rule.to)
    .toSorted()
    .at(0);
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
}

/** A week from each day on which a rule begins or has ended. Between those, weeks are alike. */
function daysThatDiffer(wanted: Wanted, older: readonly Wanted[], today: string): string[] {
  const starts = older.flatMap(({ effectiveFrom, effectiveTo }) => [
    ...(effectiveFrom ? [effectiveFrom] : []),
    ...(effectiveTo ? [dayAfter(effectiveTo, 1)] : []),
  ]);
  const first = [today, wanted.effectiveFrom ?? today].toSorted().at(-1) ?? today;
  const week = [...Array(DAYS_OF_WEEK).keys()];
  const days = [first, ...starts].flatMap((start) => week.map((later) => dayAfter(start, later)));
  return [...new Set(days)].filter((day) => day >= first && isInForce(wanted, day));
}

const dayAfter = (day: string, later: number): string =>
  new Date(Date.parse(day) + later * DAY_MS).toISOString().slice(0, 10);

const isInForce = ({ effectiveFrom, effectiveTo }: Wanted, day: string): boolean =>
  (effectiveFrom ?? day) <= day && day <= (effectiveTo ?? day);
