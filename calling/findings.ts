import { capMs, isDue, isShut, type Rule, STATE_NOTES } from './rules/rule.ts';
import type { LineType, Window } from './window/window-at.ts';
import { isAmerican } from './zones/area-codes.ts';
import type { Place } from './zones/zones-of.ts';

export const VERDICTS = ['callable', 'not_now', 'blocked', 'review', 'unknown'] as const;
export type CallVerdict = (typeof VERDICTS)[number];

type ReasonCode =
  | 'suppressed'
  | 'litigator'
  | 'do_not_call'
  | 'told_by_file'
  | 'mobiles_barred'
  | 'barred'
  | 'no_phone'
  | 'not_american'
  | 'no_address'
  | 'never_checked'
  | 'check_expired'
  | 'sandbox_check'
  | 'line_unknown'
  | 'law_unverified'
  | 'address_conflict'
  | 'sources_differ'
  | 'cap_reached'
  | 'hours'
  | 'own_rule'
  | 'holiday'
  | 'number_elsewhere'
  | 'duty'
  | 'review_due';

export type Reason = { code: ReasonCode; text: string; citation?: string; effectiveFrom?: string };

/** Something that speaks for a verdict. What only informs speaks for `callable`. */
export type Finding = { verdict: CallVerdict; reason: Reason };

/**
 * What the lists of the provider said of a number.
 * - `expired`: too long ago to count, or at a time that is not known. `checkedAt` and `expiresAt`: from when and until when it counts, in
 *   ms since 1970.
 */
export type Scrub = {
  status: 'not_checked' | 'safe' | 'dnc' | 'litigator';
  expired: boolean;
  checkedAt?: number | undefined;
  expiresAt?: number | undefined;
  sandbox?: boolean;
};

/** Clocks of the server and of its database may differ by so much, in ms. */
const CLOCKS_DIFFER_MS = 300_000;

/** Whether the check was made only after the moment that is asked about. */
export const isCheckedLater = ({ checkedAt }: Scrub, at: number): boolean =>
  checkedAt !== undefined && checkedAt > at + CLOCKS_DIFFER_MS;

export const isExpired = ({ expired, expiresAt }: Scrub, at: number): boolean =>
  expired || (expiresAt !== undefined && at > expiresAt);

const found = (verdict: CallVerdict, code: ReasonCode, text: string, more: Partial<Reason> = {}): Finding => ({
  verdict,
  reason: { code, text, ...more },
});

export const suppressionFindings = (since: Date | undefined): Finding[] =>
  since ? [found('blocked', 'suppressed', `On the suppression list since ${since.toISOString().slice(0, 10)}.`)] : [];

/** What someone's own file says. */
export const fileFindings = (mustNotBeCalled: boolean): Finding[] =>
  mustNotBeCalled ? [found('blocked', 'told_by_file', 'A column of your file says that it must not be called.')] : [];

/** What is known of the number itself. `phone` as E.164; undefined for text that is no number. */
export function numberFindings(phone: string | undefined, scrub: Scrub, at: number): Finding[] {
  if (phone === undefined) return [found('unknown', 'no_phone', 'There is no phone number to judge.')];
  if (!isAmerican(phone))
    return [found('unknown', 'not_american', 'This is not a US number. Fairlead has the rules for US numbers only.')];
  if (scrub.status === 'not_checked')
    return [found('unknown', 'never_checked', 'This number was never checked against the lists.')];
  if (scrub.sandbox)
    return [found('unknown', 'sandbox_check', 'It was checked with sandbox data only, which is invented.')];
  if (scrub.status === 'litigator')
    return [found('blocked', 'litigator', 'Listed as someone who has sued over calls.')];
  if (isExpired(scrub, at))
    return [
      found('unknown', 'check_expired', 'The last check is older than 31 days. Check it again.', {
        citation: '16 CFR 310.4(b)(3)(iv)',
      }),
    ];
  if (scrub.status === 'safe')
    return isCheckedLater(scrub, at)
      ? [found('unknown', 'never_checked', 'This number was not checked until after that time.')]
      : [];
  return [
    found('blocked', 'do_not_call', 'Listed as a number that must not be called.', {
      citation: '47 CFR 64.1200(c)(2)',
    }),
  ];
}

/** What is known of where the number is answered. */
export function placeFindings(place: Place | undefined): Finding[] {
  if (!place)
    return [
      found('unknown', 'no_address', 'No state is known. The area code alone does not say where a number is answered.'),
    ];
  const { conflict, numberState, states } = place;
  return [
    ...(conflict ? [found('review', 'address_conflict', conflict)] : []),
    ...(numberState
      ? [
          found(
            'callable',
            'number_elsewhere',
            `The area code belongs to ${numberState}. Its hours and time zones apply as well.`,
          ),
        ]
      : []),
    ...states.flatMap((state) => {
      const note = STATE_NOTES[state];
      return note ? [found('callable', 'duty', `${state}: ${note}`)] : [];
    }),
  ];
}

/** What the hours say at this moment. */
export function windowFindings({ state, holiday, rules }: Window): Finding[] {
  switch (state) {
    // What shuts all days says so with its law.
    case 'open':
    case 'barred':
      return [];
    case 'closed':
      if (rules.some(isShut)) return [];
      return [
        holiday
          ? found('not_now', 'holiday', `No calls today: ${holiday}.`)
          : found('not_now', 'hours', 'Outside of the hours in which calls may begin.'),
      ];
    case 'review':
      return [found('review', 'sources_differ', 'Sources read the hours of this law in two ways.')];
    case 'unknown':
      return [found('unknown', 'law_unverified', 'The hours of this state could not be verified.')];
  }
}

/** When a row of a law lets calls begin. */
export function rowFindings(row: Rule): Finding[] {
  const { own, citation, effectiveFrom, differs, confidence } = row;
  const from = effectiveFrom ? { effectiveFrom } : {};
  const hours = found('callable', own ? 'own_rule' : 'hours', hoursText(row), { citation, ...from });
  if (!differs && confidence !== 'contested') return [hours];
  const doubt = `Sources differ on ${citation}. The stricter reading applies.`;
  return [hours, found('callable', 'sources_differ', doubt, { citation })];
}

/** What a law asks besides its hours. `calls`: when the number was called, in ms since 1970. */
export function lawFindings(law: Rule, line: LineType, calls: readonly number[], at: number): Finding[] {
  const { state, citation, cap, bansMobiles, reviewedOn, effectiveTo } = law;
  const findings: Finding[] = [];
  if (bansMobiles && line !== 'landline')
    findings.push(
      line === 'mobile'
        ? found('blocked', 'mobiles_barred', `${state} bars unsolicited sales calls to mobiles.`, { citation })
        : found(
            'unknown',
            'line_unknown',
            `${state} bars sales calls to mobiles. The kind of this line is not known.`,
            {
              citation,
            },
          ),
    );
  if (isShut(law) && !bansMobiles)
    findings.push(
      effectiveTo === undefined
        ? found('blocked', 'barred', `${nameOf(law)} allows no calls at any hour.`, { citation })
        : found('not_now', 'barred', `${nameOf(law)} allows no calls through ${effectiveTo}.`, { citation }),
    );
  const recent = cap ? calls.filter((one) => one <= at && at - one < capMs(cap)).length : 0;
  if (cap && recent >= cap.calls)
    findings.push(
      found(
        'not_now',
        'cap_reached',
        `Called ${counted(recent, 'time')} in ${counted(cap.hours, 'hour')}, counting all numbers of the business. ${nameOf(law)} allows ${cap.calls}.`,
        {
          citation,
        },
      ),
    );
  if (isDue(law, at))
    findings.push(found('callable', 'review_due', `This rule was last reviewed on ${reviewedOn}.`, { citation }));
  return findings;
}

/** "1 call", "2 calls". */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const WEEK = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const nameOf = ({ state, own }: Pick<Rule, 'state' | 'own'>): string => {
  const place = state === 'US' ? 'Federal' : state;
  return own ? `Your own rule${state === 'US' ? '' : ` for ${state}`}` : place;
};

/** "FL: 08:00–20:00 every day". */
export function hoursText({ days, from, to, zone, holidays, lines, ...law }: Rule): string {
  const when = days.length === 7 ? 'every day' : days.map((day) => WEEK[day]).join(', ');
  const hours =
    from && to ? `${from}–${to} ${when}` : lines === 'mobile' ? 'no sales calls to mobiles' : 'no hours at all';
  return `${nameOf(law)}: ${hours}${holidays ? ', closed on legal holidays' : ''}${zone ? ` (${zone})` : ''}`;
}
