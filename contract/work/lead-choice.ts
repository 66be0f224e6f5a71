import { z } from 'zod/mini';
import { CALL_VERDICTS } from '#contract/calling/call-verdicts.ts';
import { isoDate } from '#contract/dates.ts';
import { looseId, looseNumber } from '#contract/endpoint.ts';

/** What a lead may have or lack. */
export const LEAD_PARTS = ['phone', 'email', 'website', 'owner'] as const;
export type LeadPart = (typeof LEAD_PARTS)[number];
/** `expired`: checked too long ago, which counts as `not_checked` as well. */
export const VERDICT_FILTERS = ['safe', 'dnc', 'litigator', 'not_checked', 'expired'] as const;
export type VerdictFilter = (typeof VERDICT_FILTERS)[number];

/** Parts of a lead, separated by commas. */
const parts = z.optional(
  z
    .string()
    .check(
      z.regex(
        /^(phone|email|website|owner)(,(phone|email|website|owner)){0,3}$/,
        'Use phone, email, website or owner.',
      ),
    ),
);
const text = z.optional(z.string().check(z.trim(), z.maxLength(200, 'Use at most 200 characters.')));

/** Which leads of a list are meant: those that fit everything that is set. The same words stand in the address of the page. */
export const FILTER_FIELDS = {
  /** Stands somewhere in what is written of the lead. */
  q: text,
  has: parts,
  lacks: parts,
  verdict: z.optional(z.enum(VERDICT_FILTERS)),
  /** What is said of a call at the moment of the request. */
  call: z.optional(z.enum(CALL_VERDICTS)),
  city: text,
  zip: z.optional(z.string().check(z.regex(/^\d{5}$/, 'A ZIP code has five digits, such as 62701.'))),
  /** The least confidence of the email, in percent. */
  confidence: z.optional(looseNumber.check(z.int('Enter a whole number.'), z.maximum(100, 'Enter at most 100.'))),
  /** The day from which leads were added, in UTC. */
  since: z.optional(isoDate('since must be a day such as 2026-11-21.')),
};
export const LeadFilter = z.object(FILTER_FIELDS);
export type LeadFilter = z.infer<typeof LeadFilter>;

/** The most leads that may be named one by one. */
export const MOST_NAMED_LEADS = 10_000;
/** The most leads of a list that paid work may be narrowed to. A whole list has no limit. */
export const MOST_CHOSEN_LEADS = 100_000;
const named = z
  .array(looseId)
  .check(
    z.minLength(1),
    z.maxLength(MOST_NAMED_LEADS, { error: () => `Name at most ${MOST_NAMED_LEADS.toLocaleString('en-US')} leads.` }),
  );

/** Which leads of a list something is done with: those named or of a run, all that fit a filter but for some, or, with neither, all. */
export const CHOICE_FIELDS = {
  lead_ids: z.optional(named),
  matching: z.optional(LeadFilter),
  /** Named leads that are left out. */
  except: z.optional(named),
  /** Exactly those that a run of the list was narrowed to, by its id. */
  of_run: z.optional(looseId),
};
/** Stands for the leads that were counted as `matching`, those that are left out included. Where others fit by now, nothing is done. */
export const digest = z.optional(z.string().check(z.maxLength(100)));
export const LeadChoice = z.object(CHOICE_FIELDS);
export type LeadChoice = z.infer<typeof LeadChoice>;

/** The leads that someone chose, and how many those were. `digest`: of the counts of all that match, where a filter chose them. */
export type ChosenLeads = { choice: LeadChoice; count: number; digest?: string | undefined };

/** The digest as a field of a request. */
export const digestOf = (chosen: ChosenLeads | undefined): { digest?: string } =>
  chosen?.digest === undefined ? {} : { digest: chosen.digest };
