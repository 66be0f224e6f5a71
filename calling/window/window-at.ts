import { FIRST_HOLIDAY_YEAR, holidayOf, isShut, LAST_HOLIDAY_YEAR, RULES, type Rule } from '#calling/rules/rule.ts';
import { type LocalDay, localDay, localText, momentOf } from './local-time.ts';
import { joined, overlap, type Span } from './spans.ts';

export type LineType = 'mobile' | 'landline' | 'unknown';

/** Which rules may be left out. An administrator answers for it; unset is the strictest. */
export type Leniency = {
  /** All numbers are landlines of businesses, which rules for residences do not protect. */
  businessLandlines?: boolean | undefined;
  /** People dial by hand: rules for automated calls do not apply. */
  dialedByHand?: boolean | undefined;
};

export type WindowQuestion = {
  states: readonly string[];
  zones: readonly string[];
  line: LineType;
  /** In ms since 1970. */
  at: number;
  leniency?: Leniency;
  /** Those of the law and any stricter ones of the workspace. */
  rules?: readonly Rule[];
};

/**
 * When the law lets calls begin.
 * - `barred`: never. `review`: sources read a law in two ways. `unknown`: a law could not be verified.
 * - `opensAt` while it is closed or in review: when every reading lets calls begin, where the laws of that day are verified. `closesAt`
 *   while it is open. In ms since 1970.
 * - `today`: the hours that are open now, as clocks of `zone` show them, and the law that ends them.
 * - `rules`: those that apply. `told`: of each law the rows for today, or all where none is. `holiday`: why it is closed today.
 */
export type Window = {
  state: 'open' | 'closed' | 'barred' | 'review' | 'unknown';
  opensAt?: number;
  closesAt?: number;
  today?: { from: string; to: string; zone: string; citation: string };
  rules: Rule[];
  told: Rule[];
  holiday?: string;
};

/** No call begins in the last seconds of a window: it would end outside. In ms. */
export const LAST_CALL_MS = 30_000;
/** How far ahead an opening is looked for, in days. */
const DAYS_AHEAD = 14;
const DAY_MS = 86_400_000;

/** Says whether calls may begin at a moment: in all zones, and under all rules that may apply. */
export function windowAt({ states, zones, line, at, leniency = {}, rules = RULES }: WindowQuestion): Window {
  const applicable = rules.filter((rule) => applies(rule, states, line, leniency));
  const strict = openSpans(applicable, zones, at, 'strict');
  const inForce = rulesInForce(applicable, zones, at);
  const apply = { rules: inForce, told: rowsOfToday(inForce, zones, at) };
  if (inForce.some((rule) => isShut(rule) && rule.effectiveTo === undefined)) return { state: 'barred', ...apply };
  const open = strict.find(({ from, to }) => from <= at && at < to - LAST_CALL_MS);
  const opensAt = strict.find(({ from }) => from > at)?.from ?? laterOpening(applicable, zones, at);
  const later = opensAt === undefined || !isVerified(applicable, zones, opensAt) ? {} : { opensAt };
  if (open) {
    if (!isVerified(applicable, zones, at)) return { state: 'unknown', ...apply };
    return { state: 'open', closesAt: open.to, ...closing(inForce, zones, open), ...apply };
  }
  const isOpenInOtherReading =
    applicable.some(({ differs }) => differs) &&
    openSpans(applicable, zones, at, 'loose').some(({ from, to }) => from <= at && at < to - LAST_CALL_MS);
  if (isOpenInOtherReading) return { state: 'review', ...later, ...apply };
  const holiday = zones
    .flatMap((zone) => inForce.map((rule) => closedHoliday(rule, localDay(rule.zone ?? zone, at))))
    .find((name) => name !== undefined);
  return { state: 'closed', ...later, ...apply, ...(holiday === undefined ? {} : { holiday }) };
}

function applies(
  { state, scope, lines }: Rule,
  states: readonly string[],
  line: LineType,
  leniency: Leniency,
): boolean {
  if (state !== 'US' && !states.includes(state)) return false;
  if (scope === 'residence' && leniency.businessLandlines && line === 'landline') return false;
  if (scope === 'automated' && leniency.dialedByHand) return false;
  return lines === 'all' || line !== 'landline';
}

/** A rule as one of its readings has it. */
type Reading = Pick<Rule, 'days' | 'from' | 'to' | 'holidays'>;
const readingsOf = (rule: Rule, how: 'strict' | 'loose'): readonly Reading[] =>
  how === 'loose' && rule.differs ? rule.differs : [rule];

/** The rows of one law stand together: what none of them opens is closed. The own rules of a state are one law. */
const lawsOf = (rules: readonly Rule[]): Rule[][] => [
  ...Map.groupBy(rules, ({ state, citation, own }) => `${state} ${own ? '' : citation}`).values(),
];

function rowsOfToday(rules: readonly Rule[], zones: readonly string[], at: number): Rule[] {
  const isToday = ({ days, zone: own }: Rule) => zones.some((zone) => days.includes(localDay(own ?? zone, at).weekday));
  return lawsOf(rules).flatMap((law) => (law.some(isToday) ? law.filter(isToday) : law));
}

/** Which row ends the hours that are open: of several the most particular, which stand last. */
function closing(rules: readonly Rule[], zones: readonly string[], open: Span): Pick<Window, 'today'> {
  for (const rule of rules.toReversed())
    for (const clock of zones.map((zone) => rule.zone ?? zone)) {
      const { to, citation } = rule;
      const day = localDay(clock, open.from);
      if (to === undefined || !rule.days.includes(day.weekday) || momentOf(clock, day, to) !== open.to) continue;
      return { today: { from: localText(clock, open.from).slice(11, 16), to, zone: clock, citation } };
    }
  return {};
}

/** When all laws allow calls in all zones, from today on. */
function openSpans(rules: readonly Rule[], zones: readonly string[], at: number, how: 'strict' | 'loose'): Span[] {
  const laws = lawsOf(rules);
  const spans = zones.flatMap((zone) => laws.map((law) => spansOf(law, zone, at, how)));
  const [first = [], ...others] = spans;
  return others.reduce<Span[]>(overlap, first);
}

const rulesInForce = (rules: readonly Rule[], zones: readonly string[], at: number): Rule[] =>
  rules.filter((rule) => zones.some((zone) => isInForce(rule, localDay(rule.zone ?? zone, at))));

/** Whether the laws of a moment were verified, and its holidays are known. Otherwise nothing says that hours are open. */
function isVerified(rules: readonly Rule[], zones: readonly string[], at: number): boolean {
  const inForce = rulesInForce(rules, zones, at);
  const isBeyondTable = zones.some((zone) => !hasHolidays(localDay(zone, at)));
  return !inForce.some(({ confidence, holidays }) => confidence === 'unverified' || (isBeyondTable && holidays));
}

/** The first opening behind the days that are looked at, which only the end of a rule can bring. */
function laterOpening(rules: readonly Rule[], zones: readonly string[], at: number): number | undefined {
  const ends = rules.flatMap(({ effectiveTo }) =>
    effectiveTo === undefined ? [] : [Date.parse(effectiveTo) + DAY_MS],
  );
  for (const end of ends.toSorted((a, b) => a - b)) {
    const opening = end > at && openSpans(rules, zones, end, 'strict').find(({ from }) => from > at);
    if (opening) return opening.from;
  }
  return undefined;
}

/** Weeks of laws that are remembered: those of every state in some zones. They depend on the day alone. */
const MOST_REMEMBERED = 20_000;
const remembered = new Map<string, Span[]>();
const numbers = new WeakMap<Rule, number>();
let count = 0;

function numberOf(rule: Rule): number {
  const known = numbers.get(rule);
  if (known !== undefined) return known;
  count += 1;
  numbers.set(rule, count);
  return count;
}

function spansOf(law: readonly Rule[], zone: string, at: number, how: 'strict' | 'loose'): Span[] {
  const clock = law[0]?.zone ?? zone;
  const key = `${law.map(numberOf).join()} ${clock} ${localDay(clock, at).text} ${how}`;
  const known = remembered.get(key);
  if (known) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const spans = readSpans(law, clock, at, how);
  remembered.set(key, spans);
  return spans;
}

function readSpans(law: readonly Rule[], clock: string, at: number, how: 'strict' | 'loose'): Span[] {
  const spans: Span[] = [];
  for (let later = -1; later <= DAYS_AHEAD; later += 1) {
    const day = localDay(clock, at, later);
    const inForce = law.filter((rule) => isInForce(rule, day));
    // A law that is not in force yet, or no more, closes nothing.
    if (inForce.length === 0) spans.push(wholeDay(clock, at, later));
    // Own rules without any day close all days.
    if (inForce.some(isShut)) continue;
    const ofRows = inForce.map((rule) => spansOfDay(rule, clock, day, how));
    spans.push(...(law[0]?.own ? shared(ofRows) : ofRows.flat()));
  }
  return joined(spans);
}

/** Of own rules that name a day, what all of them allow. */
function shared(ofRows: readonly Span[][]): Span[] {
  const [first = [], ...others] = ofRows.filter((spans) => spans.length > 0);
  return others.reduce<Span[]>(overlap, first);
}

function spansOfDay(rule: Rule, clock: string, day: LocalDay, how: 'strict' | 'loose'): Span[] {
  return readingsOf(rule, how).flatMap(({ days, from, to, holidays }) => {
    if (from === undefined || to === undefined || !days.includes(day.weekday)) return [];
    if (holidays && holidayOf(rule.state, day.text) !== undefined) return [];
    return [{ from: momentOf(clock, day, from), to: momentOf(clock, day, to) }];
  });
}

const wholeDay = (zone: string, at: number, later: number): Span => ({
  from: momentOf(zone, localDay(zone, at, later), '00:00'),
  to: momentOf(zone, localDay(zone, at, later + 1), '00:00'),
});

const isInForce = ({ effectiveFrom, effectiveTo }: Rule, { text }: LocalDay): boolean =>
  (effectiveFrom === undefined || effectiveFrom <= text) && (effectiveTo === undefined || text <= effectiveTo);

const hasHolidays = ({ year }: LocalDay): boolean => FIRST_HOLIDAY_YEAR <= year && year <= LAST_HOLIDAY_YEAR;

const closedHoliday = (rule: Rule, day: LocalDay): string | undefined =>
  rule.holidays ? holidayOf(rule.state, day.text) : undefined;
