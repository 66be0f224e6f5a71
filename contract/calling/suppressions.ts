import { z } from 'zod/mini';
import { isoTime } from '#contract/dates.ts';
import { endpoint } from '#contract/endpoint.ts';
import { SuppressingOutcome } from './suppressing-outcomes.ts';

/** What may be suppressed: a number, an address, a domain with all below it, one business, or a company by its name. */
export const SUPPRESSION_KINDS = ['phone', 'email', 'domain', 'business', 'company'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

/** Entries on a page. */
export const SUPPRESSION_PAGE_SIZE = 50;
/** Lines that one import of a text takes. */
export const MOST_IMPORTED = 20_000;
/** Wrong cells that an import names; the others are counted. */
export const MOST_IMPORT_ERRORS = 100;
/** Columns without entries that an import names. */
export const MOST_IGNORED = 50;

/** Other entries that are named where one was let go. */
export const MOST_NAMED_HOLDERS = 5;

const value = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter what is to be suppressed.'),
    z.maxLength(320, 'Enter at most 320 characters.'),
  );
const id = z.uuid('This is not the id of an entry.');

/** Leads that are counted behind an entry. Where there are more, this is what is said. */
export const MOST_COUNTED_LEADS = 10_000;
/** Past exports that an entry names; the others are counted. */
export const MOST_NAMED_EXPORTS = 5;

/** A file of leads that left Fairlead and held the contact. `by`: an address, null once that account is gone. `at` is ISO. */
export const PastExport = z.object({
  id: z.string(),
  by: z.nullable(z.string()),
  at: z.string(),
  listName: z.string(),
  fileName: z.string(),
  leads: z.number(),
});
export type PastExport = z.infer<typeof PastExport>;

/** `newest`: at most MOST_NAMED_EXPORTS of them. */
export const PastExports = z.object({ total: z.number(), newest: z.array(PastExport) });
export type PastExports = z.infer<typeof PastExports>;

/**
 * An entry. `value` in one spelling, such as E.164.
 * - `addedBy`: an address, null once that account is gone. Times are ISO.
 * - `askedAt`: when they asked, where that is known and was before.
 * - `exports`: which past exports held the contact. Until when they must be honored: `honor-clock.ts`.
 */
export const Suppression = z.object({
  id: z.string(),
  kind: z.enum(SUPPRESSION_KINDS),
  value: z.string(),
  note: z.nullable(z.string()),
  source: z.enum(['hand', 'file', 'call', 'crm', 'public']),
  addedBy: z.nullable(z.string()),
  addedAt: z.string(),
  askedAt: z.optional(z.string()),
  exports: PastExports,
});
export type Suppression = z.infer<typeof Suppression>;

/** The newest first; `next` is the `before` of the page that follows, null on the last. */
export const listSuppressionsEndpoint = endpoint({
  method: 'GET',
  path: '/api/suppressions',
  reads: true,
  query: z.object({
    q: z.optional(z.string().check(z.trim(), z.maxLength(320))),
    kind: z.optional(z.enum(SUPPRESSION_KINDS)),
    before: z.optional(id),
  }),
  data: z.object({ items: z.array(Suppression), next: z.nullable(z.string()), total: z.number() }),
});

/**
 * Suppresses a contact.
 * - `said`: of a number, how a call to it ended that the log refuses, and when. It holds as if it had been logged.
 * - `added`: false where it stood there already.
 * - `leads`: how many leads of all lists it holds back, counted up to MOST_COUNTED_LEADS.
 */
export const addSuppressionEndpoint = endpoint({
  method: 'POST',
  path: '/api/suppressions',
  body: z.object({
    kind: z.enum(SUPPRESSION_KINDS),
    value,
    note: z.optional(z.string().check(z.trim(), z.maxLength(500, 'A note has at most 500 characters.'))),
    said: z.optional(
      z.object({
        outcome: SuppressingOutcome,
        at: z.optional(isoTime('said.at must be a time such as 2026-11-24T15:00:00Z.')),
      }),
    ),
  }),
  data: z.object({ suppression: Suppression, added: z.boolean(), leads: z.number() }),
});

const NO_REASON = 'Say why, in a few words.';

/**
 * Lets an entry go. Only administrators may, and they say why. `heldBy`: entries that still hold leads of it back, at most
 * MOST_NAMED_HOLDERS.
 */
export const removeSuppressionEndpoint = endpoint({
  method: 'DELETE',
  path: '/api/suppressions/:id',
  access: 'admin',
  freshProof: true,
  query: z.object({ id }),
  body: z.object({
    reason: z
      .string(NO_REASON)
      .check(z.trim(), z.minLength(3, NO_REASON), z.maxLength(500, 'Enter at most 500 characters.')),
  }),
  data: z.object({
    removed: z.boolean(),
    heldBy: z.array(z.object({ kind: z.enum(SUPPRESSION_KINDS), value: z.string() })),
  }),
});

/** What became of an import. `line` counts rows as a spreadsheet does. */
const ImportedSuppressions = z.object({
  added: z.number(),
  known: z.number(),
  wrong: z.number(),
  exports: z.number(),
  errors: z.array(z.object({ line: z.number(), text: z.string(), why: z.string() })),
  ignored: z.array(z.string()),
  /** Sheets of a spreadsheet that have cells, and of which nothing was read. */
  otherSheets: z.array(z.string()),
});

/**
 * Adds what a CSV text names.
 * - With a header: every column of numbers or addresses, by its name or its cells; `domain`, `place id` and `company`; or `kind` and
 *   `value`; and `note`. `ignored`: the others with something in them.
 * - Without: the first column. An address with "@" is an email, a number a phone, a name with a dot a domain. Other columns too, where
 *   they hold a number or an address.
 * - `exports`: how many past exports held one of those that were added.
 */
export const importSuppressionsEndpoint = endpoint({
  method: 'POST',
  path: '/api/suppressions/import',
  growsWith: 'body',
  body: z.object({
    csv: z
      .string()
      .check(
        z.minLength(1, 'The file is empty.'),
        z.maxLength(900_000, 'Send the file in parts of at most 900,000 characters.'),
      ),
  }),
  data: ImportedSuppressions,
});

/** The same of a file, sent as the body: CSV, TSV or XLSX of any length. What was stored stays where it fails on the way. */
export const importSuppressionFileEndpoint = endpoint({
  method: 'POST',
  path: '/api/suppressions/import/file',
  data: ImportedSuppressions,
});
