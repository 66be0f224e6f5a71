import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { callWithin, EXPORT_COMPLIANCE, EXPORT_FILTERS } from './exports/export-choice.ts';
import { CHOICE_FIELDS } from './lead-choice.ts';

/** How many leads of a list are meant, and what they have. */
const LeadCounts = z.object({
  leads: z.number(),
  /** Stands for exactly these leads: as many others have another one. Absent in answers of an earlier version. */
  digest: z.optional(z.string()),
  emails: z.number(),
  /** With an owner's name or title. */
  contacts: z.number(),
  /** With a verified or refuted email, or the type of the phone. */
  verifications: z.number(),
  /** With an email that was verified by itself, not by what found it. */
  emailChecks: z._default(z.number(), 0),
  /** From open data. */
  openData: z._default(z.number(), 0),
  /** By verdict, as it holds today. */
  safe: z.number(),
  flagged: z.number(),
  expired: z.number(),
  /** With a number that has no verdict today. */
  unchecked: z._default(z.number(), 0),
  /** On the suppression list: no export holds them. */
  suppressed: z.number(),
  /** How many an export holds, by its two choices. */
  exports: z.record(z.enum(EXPORT_FILTERS), z.record(z.enum(EXPORT_COMPLIANCE), z.number())),
});
export type LeadCounts = z.infer<typeof LeadCounts>;

export const countLeadsEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/:listId/leads/counts',
  growsWith: 'verdicts',
  reads: true,
  query: z.object({ listId: looseId }),
  /** `call_within`: exports hold only what may be called within so many hours. */
  body: z.object({ ...CHOICE_FIELDS, call_within: callWithin }),
  data: LeadCounts,
});
