import { z } from 'zod/mini';
import { isoTime } from '#contract/dates.ts';
import { endpoint } from '#contract/endpoint.ts';
import { EXPORT_COMPLIANCE, EXPORT_FILTERS, EXPORT_RIGHTS } from '#contract/work/exports/export-choice.ts';

/** Entries of one pack. A longer period is asked for in parts. */
export const MOST_PACK_ENTRIES = 5_000_000;

/** How long sealed parts are kept: 16 CFR 310.5. The chain itself stays. */
export const EVIDENCE_YEARS = 5;

/** Everything that is an entry of the chain, in words. The verifier of packs has the same: words never change. */
export const EVIDENCE_KINDS = {
  'scrub.replied': 'Provider answered a phone check',
  'scrub.verdict': 'Phone checked',
  'verdict.reused': 'Earlier verdict used again',
  'verdict.given': 'Verdict given for a call',
  'verdict.shown': 'Verdicts shown',
  'verdict.counted': 'Verdicts counted',
  'suppression.added': 'Contact suppressed',
  'suppression.imported': 'Contacts suppressed together',
  'suppression.removed': 'Suppression removed',
  'rules.overridden': 'Calling rules changed',
  'export.begun': 'Export begun',
  'export.leads': 'Leads handed out by an export',
  'export.ended': 'Export ended',
  'export.again': 'Kept export downloaded again',
  'call.logged': 'Call outcome',
  'call.taken_back': 'Call outcome taken back',
  'contact.erased': 'Contact erased, and held back for good',
  'evidence.erased': 'Personal data erased',
} as const;
export type EvidenceKind = keyof typeof EVIDENCE_KINDS;

const known: Readonly<Record<string, string>> = EVIDENCE_KINDS;

/** A kind in words; one that is not known here, such as a later version's, by the words of its code. */
export const evidenceLabel = (kind: string): string => known[kind] ?? kind.replaceAll(/[._]/g, ' ');

const time = (name: string) => z.optional(isoTime(`${name} must be a time such as 2026-11-21T09:00:00Z.`));

const NO_PHONE = 'Enter a phone number with its area code.';
const NO_ENTRY = 'This is not the number of an entry.';

/**
 * Which entries a pack holds; without anything, all that the caller may see. `from` is included, `to` is not.
 * - People get entries of what they did themselves; administrators everyone's, or one person's with `userId`.
 * - `proveEntry`: the number of an entry whose hash someone holds. The proof leads to it; the pack holds no more entries for that.
 */
export const PackQuestion = z
  .object({
    from: time('from'),
    to: time('to'),
    listId: z.optional(z.uuid('This is not the id of a list.')),
    exportId: z.optional(z.uuid('This is not the id of an export.')),
    userId: z.optional(z.uuid('This is not the id of a person.')),
    phone: z.optional(z.string().check(z.trim(), z.minLength(7, NO_PHONE), z.maxLength(40, NO_PHONE))),
    proveEntry: z.optional(z.int(NO_ENTRY).check(z.minimum(1, NO_ENTRY))),
  })
  .check(
    z.refine(({ from, to }) => !from || !to || (from !== to && new Date(from) <= new Date(to)), {
      error: 'The last day is before the first day.',
      path: ['to'],
    }),
  );
export type PackQuestion = z.infer<typeof PackQuestion>;

/** Returns a ZIP and not the envelope of other calls: entries.json, entries.csv, summary.html, proof.json, verify.mjs and README.txt. */
export const packEvidenceEndpoint = endpoint({
  method: 'POST',
  path: '/api/evidence',
  growsWith: 'account',
  body: PackQuestion,
  data: z.string(),
});

/** The head of the chain: position 0 and a hash of zeros while it has no entry. Hashes are SHA-256 in hex; times are ISO. */
export const ChainHead = z.object({ position: z.number(), hash: z.string(), at: z.nullable(z.string()) });
export type ChainHead = z.infer<typeof ChainHead>;

/** `mailed`: whether the caller gets the head by mail each day; null for who cannot. */
export const readHeadEndpoint = endpoint({
  method: 'GET',
  path: '/api/evidence/head',
  data: z.object({ head: ChainHead, mailed: z.nullable(z.boolean()) }),
});

/** Starts or ends the daily mail with the head to the caller. */
export const mailHeadEndpoint = endpoint({
  method: 'PUT',
  path: '/api/admin/evidence/mail',
  access: 'admin',
  body: z.object({ on: z.boolean() }),
  data: z.object({ on: z.boolean() }),
});

/** The header in which an export names its id. */
export const EXPORT_HEADER = 'fairlead-export';

/** What stands beside an export's CSV. Later versions may add to it. Times are ISO, hashes SHA-256 in hex. */
export const ExportCompanion = z.looseObject({
  format: z.literal('fairlead export companion 1'),
  exportId: z.string(),
  list: z.object({ id: z.string(), name: z.string() }),
  begunAt: z.string(),
  endedAt: z.string(),
  choices: z.object({
    filter: z.enum(EXPORT_FILTERS),
    compliance: z.enum(EXPORT_COMPLIANCE),
    selected: z.boolean(),
    // Exports from before these were written down have none of the three.
    rights: z.optional(z.enum(EXPORT_RIGHTS)),
    /** Hours; null for leads that may be called at any time, or never. */
    callWithin: z.optional(z.nullable(z.number())),
    callTimes: z.optional(z.boolean()),
  }),
  columns: z.array(z.string()),
  leads: z.number(),
  sandbox: z.boolean(),
  /** The day up to which the calling rules were reviewed that held at the time. */
  rulesAsOf: z.string(),
  /** Of the CSV file's bytes. */
  csvSha256: z.string(),
  evidence: z.object({ position: z.number(), hash: z.string(), at: z.string() }),
});
export type ExportCompanion = z.infer<typeof ExportCompanion>;

/**
 * Returns the companion of a finished export of the caller's.
 * @throws NOT_FOUND
 */
export const exportCompanionEndpoint = endpoint({
  method: 'GET',
  path: '/api/exports/:exportId/companion',
  query: z.object({ exportId: z.uuid('This is not the id of an export.') }),
  data: ExportCompanion,
});

/** File name of a companion, beside that of its CSV. */
export const companionFileName = (csvName: string): string => `${csvName.replace(/\.csv$/, '')}.evidence.json`;

/** File name of a pack. */
export const packFileName = (day: Date): string => `fairlead-evidence-${day.toISOString().slice(0, 10)}.zip`;
