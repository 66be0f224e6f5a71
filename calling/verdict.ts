import {
  type CallVerdict,
  lawFindings,
  numberFindings,
  placeFindings,
  type Reason,
  type Scrub,
  suppressionFindings,
  windowFindings,
} from './findings.ts';
import { RULES, RULES_AS_OF, type Rule } from './rules/rule.ts';
import { type Leniency, type LineType, type Window, windowAt } from './window/window-at.ts';
import { placeOf, type Whereabouts } from './zones/zones-of.ts';

export type CallQuestion = Omit<Whereabouts, 'phone'> & {
  /** As E.164; undefined for text that is no number. */
  phone: string | undefined;
  line: LineType;
  scrub: Scrub;
  /** Since when it stands on the suppression list. */
  suppressedSince?: Date | undefined;
  /** When it was called in the last days, in ms since 1970. */
  calls?: readonly number[];
  /** In ms since 1970. */
  at: number;
  leniency?: Leniency;
  rules?: readonly Rule[];
};

/** `reasons`: those that decided first. `window`: the hours alone. */
export type CallAnswer = {
  verdict: CallVerdict;
  window: Window;
  zones: string[];
  states: string[];
  reasons: Reason[];
  rulesAsOf: string;
};

/** What comes first when several things speak against a call. */
const ORDER: readonly CallVerdict[] = ['blocked', 'unknown', 'review', 'not_now', 'callable'];

/** Whether a number may be called at a moment, as far as can be known. Never says that a call is safe. */
export function judgeCall(question: CallQuestion): CallAnswer {
  const { phone, line, scrub, suppressedSince, calls = [], at, leniency = {}, rules = RULES } = question;
  const place = phone === undefined ? undefined : placeOf({ ...question, phone });
  const window: Window = place ? windowAt({ ...place, line, at, leniency, rules }) : { state: 'unknown', rules: [] };
  const findings = [
    ...suppressionFindings(suppressedSince),
    ...numberFindings(phone, scrub),
    ...(place ? windowFindings(window) : []),
    ...window.rules.flatMap((law) => lawFindings(law, line, calls, at)),
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
}
