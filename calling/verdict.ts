import {
  type CallVerdict,
  type Finding,
  fileFindings,
  isCheckedLater,
  isExpired,
  lawFindings,
  numberFindings,
  placeFindings,
  type Reason,
  rowFindings,
  type Scrub,
  suppressionFindings,
  windowFindings,
} from './findings.ts';
import { RULES, RULES_AS_OF, type Rule } from './rules/rule.ts';
import { type Leniency, type LineType, type Window, windowAt } from './window/window-at.ts';
import { isAmerican } from './zones/area-codes.ts';
import { type Place, placeOf, type Whereabouts } from './zones/zones-of.ts';

export type CallQuestion = Whereabouts & {
  line: LineType;
  scrub: Scrub;
  /** Since when it stands on the suppression list. */
  suppressedSince?: Date | undefined;
  /** Whether a file of the caller says that it must not be called. */
  mustNotBeCalled?: boolean;
  /** When it was called in the last days, in ms since 1970. */
  calls?: readonly number[];
};

/** `at` in ms since 1970. */
export type Moment = { at: number; leniency?: Leniency; rules?: readonly Rule[] };

/** `reasons`: those that decided first. `window`: the hours alone. */
export type CallAnswer = {
  verdict: CallVerdict;
  window: Window;
  zones: string[];
  states: string[];
  reasons: Reason[];
  rulesAsOf: string;
};

/** What no verdict looks at. It stands beside each one. */
export const NOT_CHECKED: readonly string[] = [
  'Whether the number was given to someone else since (Reassigned Numbers Database, 47 CFR 64.1200(m)).',
  'State do-not-call lists, beyond those that the check covers.',
  'Whether the same person was called at another number, where no lead here shows that both are of one business.',
  'Whether a holiday or a state of emergency was proclaimed that bars calls there for a time. In New York, a county, city, town or village may declare one (GBL §399-z(5-a)). In Louisiana, the governor may (LA PSC General Order R-29617).',
  'Whether you hold consent, or have a business relationship.',
  'Whether you are registered or bonded where a state asks for it.',
  'Whether the person who answers lives there: a business number may be someone’s own.',
];

/** What comes first when several things speak against a call. */
const ORDER: readonly CallVerdict[] = ['blocked', 'unknown', 'review', 'not_now', 'callable'];
const NO_WINDOW: Window = { state: 'unknown', rules: [], told: [] };

/** Whether a number may be called at a moment, as far as can be known. Never says that a call is safe. */
export const judgeCall = ({ at, leniency, rules, ...question }: CallQuestion & Moment): CallAnswer =>
  createJudge({ at, ...(leniency && { leniency }), ...(rules && { rules }) })(question);

/** The rows of a law say some things in the same words. */
const once = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [finding.reason.text, finding])).values(),
];

export type Judge = (question: CallQuestion) => CallAnswer;

/** Judges many numbers at one moment. Numbers about which the same is known share one answer, which no one may change. */
export function createJudge({ at, leniency = {}, rules = RULES }: Moment): Judge {
  const windows = new Map<string, Window>();
  const windowOf = ({ states, zones }: Place, line: LineType): Window => {
    const key = `${states.join()} ${zones.join()} ${line}`;
    const known = windows.get(key);
    if (known) return known;
    const window = windowAt({ states, zones, line, at, leniency, rules });
    windows.set(key, window);
    return window;
  };
  const judge = (question: CallQuestion, place: Place | undefined): CallAnswer => {
    const { phone, line, scrub, suppressedSince, mustNotBeCalled = false, calls = [] } = question;
    const window = place ? windowOf(place, line) : NO_WINDOW;
    const findings = [
      ...suppressionFindings(suppressedSince),
      ...fileFindings(mustNotBeCalled),
      ...numberFindings(phone, scrub, at),
      ...(place ? windowFindings(window) : []),
      ...once(
        window.rules.flatMap((law) => [
          ...(window.told.includes(law) ? rowFindings(law) : []),
          ...lawFindings(law, line, calls, at),
        ]),
      ),
      ...(phone === undefined ? [] : placeFindings(place)),
    ].toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
    return {
      verdict: findings[0]?.verdict ?? 'callable',
      window,
      zones: place?.zones ?? [],
      states: place?.states ?? [],
      reasons: findings.map(({ reason }) => reason),
      rulesAsOf: RULES_AS_OF,
    };
  };
  const shared = new Map<Place | undefined, Map<number, CallAnswer>>();
  return (question) => {
    const place = placeOf(question);
    if (question.calls?.length) return judge(question, place);
    const key = situationOf(question, at);
    const ofPlace = shared.get(place) ?? new Map<number, CallAnswer>();
    const known = ofPlace.get(key);
    if (known) return known;
    const answer = judge(question, place);
    shared.set(place, ofPlace.set(key, answer));
    return answer;
  };
}

/** Each has a number of its own, or the compiler says so: two that shared one would share their verdicts. */
const KINDS = { none: 0, foreign: 1, American: 2 };
const LINES: Record<LineType, number> = { mobile: 0, landline: 1, unknown: 2 };
const STATUSES: Record<Scrub['status'], number> = { not_checked: 0, safe: 1, dnc: 2, litigator: 3 };
/** More than any of these numbers. */
const ROOM = 8;
const DAY_MS = 86_400_000;

/** All that a verdict looks at besides place and calls, as one number: two questions with the same one have the same answer. */
function situationOf({ phone, line, scrub, suppressedSince, mustNotBeCalled }: CallQuestion, at: number): number {
  const kind = phone === undefined ? 'none' : isAmerican(phone) ? 'American' : 'foreign';
  // Of that time its day is told.
  let key = suppressedSince ? Math.floor(suppressedSince.getTime() / DAY_MS) : 0;
  key = key * ROOM + KINDS[kind];
  key = key * ROOM + LINES[line];
  key = key * ROOM + STATUSES[scrub.status];
  for (const flag of [suppressedSince, mustNotBeCalled, scrub.sandbox, isExpired(scrub, at), isCheckedLater(scrub, at)])
    key = key * 2 + (flag ? 1 : 0);
  return key;
}
