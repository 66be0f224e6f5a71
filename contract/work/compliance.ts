import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { maxCost, quotedSandbox } from '#contract/money/budgets.ts';
import { microsToDollars } from '#contract/money/costs.ts';
import { CHOICE_FIELDS, digest } from './lead-choice.ts';
import { VERDICT_DAYS } from './retention.ts';
import { BegunRun } from './runs.ts';

/** Stored verdicts on a phone number. */
const COMPLIANCE_STATUSES = ['not_checked', 'safe', 'dnc', 'litigator'] as const;
export type ComplianceStatus = (typeof COMPLIANCE_STATUSES)[number];

const SPELLINGS = new Map<string, ComplianceStatus>([
  ['not_checked', 'not_checked'],
  ['safe', 'safe'],
  ['clean', 'safe'],
  ['dnc', 'dnc'],
  ['flagged', 'dnc'],
  ['litigator', 'litigator'],
  ['tcpa_litigator', 'litigator'],
]);

/** Reads any of the three spellings of spec section 3. What is not known is not checked, never clean. */
export function readComplianceStatus(value: unknown): ComplianceStatus {
  return (typeof value === 'string' ? SPELLINGS.get(value.trim().toLowerCase()) : undefined) ?? 'not_checked';
}

/** How long a clean or listed verdict is shown as one, in ms. */
export const VERDICT_VALID_MS = VERDICT_DAYS * 86_400_000;

/** Whether a verdict from `checkedAt` has run out at `now`, both in ms since 1970. That of a litigator never does. */
export const isVerdictOver = (verdict: ComplianceStatus, checkedAt: number, now: number): boolean =>
  (verdict === 'safe' || verdict === 'dnc') && now - checkedAt > VERDICT_VALID_MS;

/** What is said of a verdict that has run out. */
export const EXPIRED_REASON = `Checked more than ${VERDICT_DAYS} days ago: check it again`;

/** The spelling that exports write, for programs that read the file. Screens use words. */
export const SHOWN_COMPLIANCE_STATUS: Record<ComplianceStatus, 'not_checked' | 'clean' | 'dnc' | 'tcpa_litigator'> = {
  not_checked: 'not_checked',
  safe: 'clean',
  dnc: 'dnc',
  litigator: 'tcpa_litigator',
};

export type ComplianceSummary = {
  /** Leads whose number has a verdict: safe + flagged. */
  total: number;
  safe: number;
  flagged: number;
  /** US dollars. */
  cost: number;
};

/** A lead's verdict as it is stored, and when it was given; without a time it counts as given now. */
export type StoredVerdict = { compliance_status?: unknown; compliance_checked_at?: string | Date | null };

/**
 * Counts the verdicts of a list's leads that still hold at `now` (ms since 1970). `costMicros` is what its checks have cost, in
 * micro-dollars.
 */
export function summarizeCompliance(
  verdicts: Iterable<StoredVerdict>,
  costMicros: number,
  now: number = Date.now(),
): ComplianceSummary {
  let safe = 0;
  let flagged = 0;
  for (const { compliance_status, compliance_checked_at: at } of verdicts) {
    const status = readComplianceStatus(compliance_status);
    if (at && isVerdictOver(status, new Date(at).getTime(), now)) continue;
    if (status === 'safe') safe += 1;
    else if (status !== 'not_checked') flagged += 1;
  }
  return { total: safe + flagged, safe, flagged, cost: microsToDollars(costMicros) };
}

/** A list, or only some leads of it. */
const Selection = z.object({ list_id: looseId, ...CHOICE_FIELDS });

/** Checks the phones of a list, or of some of its leads, against do-not-call and litigator lists. */
export const checkComplianceEndpoint = endpoint({
  method: 'POST',
  path: '/api/compliance',
  query: BegunRun,
  body: z.extend(Selection, { digest, max_cost: maxCost, sandbox: quotedSandbox }),
  data: z.object({ total: z.number(), safe: z.number(), flagged: z.number(), cost: z.number() }),
});

/** What a check would cost now. */
export const ComplianceEstimate = z.object({
  leads: z.number(),
  /** Leads on the suppression list; they are never sent. */
  suppressed: z._default(z.number(), 0),
  withoutPhone: z.number(),
  /** Leads whose number is not a US number; they are never sent. */
  notUs: z.number(),
  /** US numbers that are sent. The others of the leads are `known`, or `lost`: sent before, without an answer, and not settled. */
  toCheck: z.number(),
  /** The numbers to check whose verdict has run out. */
  expired: z.number(),
  known: z.number(),
  lost: z.number(),
  /** Leads that stand in another of the caller's lists too, by place or phone. */
  elsewhere: z._default(z.number(), 0),
  /** The most that it can cost, in micro-dollars. */
  boundMicros: z.number(),
  /** What the first call of it costs, in micro-dollars: with less, nothing can be bought. */
  callMicros: z._default(z.number(), 0),
  /** Whether it would be sandbox money. */
  sandbox: z.optional(z.boolean()),
});
export type ComplianceEstimate = z.infer<typeof ComplianceEstimate>;

/** Counts what a check would pay for and what is known already. Free. */
export const estimateComplianceEndpoint = endpoint({
  method: 'POST',
  path: '/api/compliance/estimate',
  growsWith: 'list',
  reads: true,
  body: Selection,
  data: ComplianceEstimate,
});
