import {
  LEAD_PARTS,
  type LeadFilter,
  type LeadPart,
  VERDICT_FILTERS,
  type VerdictFilter,
} from '#contract/work/lead-choice.ts';
import { VERDICT_DAYS } from '#contract/work/retention.ts';
import { CALL_OPTIONS } from '#web/lib/calling/call-words.ts';
import { formatDay } from '#web/lib/format/format.ts';

const PART_WORDS: Record<LeadPart, string> = { phone: 'phone', email: 'email', website: 'website', owner: 'owner' };

const VERDICT_WORDS: Record<VerdictFilter, string> = {
  safe: 'Clean',
  dnc: 'Do not call',
  litigator: 'Litigator',
  not_checked: 'Not checked',
  expired: `Checked over ${VERDICT_DAYS} days ago`,
};

export type Presence = 'any' | 'has' | 'lacks';

/** The choices of each filter, for its field. */
export const PRESENCE_OPTIONS = (part: LeadPart): readonly { value: Presence; label: string }[] => [
  { value: 'any', label: 'Any' },
  { value: 'has', label: `Has ${PART_WORDS[part]}` },
  { value: 'lacks', label: `No ${PART_WORDS[part]}` },
];
export const VERDICT_OPTIONS: readonly { value: VerdictFilter | 'any'; label: string }[] = [
  { value: 'any', label: 'Any' },
  ...VERDICT_FILTERS.map((value) => ({ value, label: VERDICT_WORDS[value] })),
];

const partsOf = (text: string | undefined): readonly string[] => text?.split(',') ?? [];

export function presenceOf({ has, lacks }: LeadFilter, part: LeadPart): Presence {
  if (partsOf(has).includes(part)) return 'has';
  return partsOf(lacks).includes(part) ? 'lacks' : 'any';
}

export function withPresence(filter: LeadFilter, part: LeadPart, presence: Presence): LeadFilter {
  const parts = (wanted: Presence) =>
    LEAD_PARTS.filter((one) => (one === part ? presence : presenceOf(filter, one)) === wanted).join(',') || undefined;
  return { ...filter, has: parts('has'), lacks: parts('lacks') };
}

const callLabel = (call: string): string => CALL_OPTIONS.find(({ value }) => value === call)?.label ?? call;

/** Each filter that is set besides the text, in words, with what is left without it. */
export function filterWords(filter: LeadFilter): { text: string; without: LeadFilter }[] {
  const { verdict, call, city, zip, confidence, since } = filter;
  const parts = LEAD_PARTS.flatMap((part) => {
    const presence = presenceOf(filter, part);
    const label = PRESENCE_OPTIONS(part).find(({ value }) => value === presence)?.label ?? '';
    return presence === 'any' ? [] : [{ text: label, without: withPresence(filter, part, 'any') }];
  });
  return [
    ...parts,
    ...(verdict ? [{ text: VERDICT_WORDS[verdict], without: { ...filter, verdict: undefined } }] : []),
    ...(call ? [{ text: `Call: ${callLabel(call)}`, without: { ...filter, call: undefined } }] : []),
    ...(city ? [{ text: `In ${city}`, without: { ...filter, city: undefined } }] : []),
    ...(zip ? [{ text: `ZIP ${zip}`, without: { ...filter, zip: undefined } }] : []),
    ...(confidence === undefined
      ? []
      : [{ text: `Email ${confidence}% or more`, without: { ...filter, confidence: undefined } }]),
    // A day has no time zone: noon is that day everywhere in the USA.
    ...(since ? [{ text: `Since ${formatDay(since)}`, without: { ...filter, since: undefined } }] : []),
  ];
}
