import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { PROVIDER_IDS } from '#contract/providers.ts';
import { EnrichmentStep } from './enrichment-steps.ts';
import { OpenOrigin } from './open-origins.ts';
import { RUN_KINDS } from './runs.ts';
import { LeadSiteVisit } from './site-visit.ts';

/** What of a lead a call can have brought: the business itself, its email, what the verifier said of that, its owner, and the verdict on its number. */
const PROVENANCE_PARTS = ['business', 'email', 'check', 'owner', 'verdict'] as const;
export type ProvenancePart = (typeof PROVENANCE_PARTS)[number];

/** The call that brought a part of a lead. Money in micro-dollars. */
export const Provenance = z.object({
  part: z.enum(PROVENANCE_PARTS),
  provider: z.enum(PROVIDER_IDS),
  /** What was asked about: a page of a search, a domain, a phone number. */
  subject: z.string(),
  /** When the answer came. */
  at: z.string(),
  /** What the whole call cost; one page or domain may have brought several leads. */
  costMicros: z.number(),
  sandbox: z.boolean(),
  callId: z.string(),
  run: z.object({
    id: z.string(),
    kind: z.enum(RUN_KINDS),
    steps: z.optional(z.array(EnrichmentStep)),
    listId: z.nullable(z.string()),
    listName: z.string(),
  }),
  /** Whether it was paid for by work on another list, and remembered for this one. */
  remembered: z.boolean(),
});
export type Provenance = z.infer<typeof Provenance>;

/**
 * The file that brought a lead: its row as a spreadsheet counts, its other columns, and what it says where that was read differently.
 * - `filled`: rows of other files that filled in fields and columns of it, or of the lead that it is a copy of, the latest last.
 */
const FileOrigin = z.object({
  importId: z.string(),
  name: z.string(),
  row: z.number(),
  extra: z.array(z.object({ header: z.string(), value: z.string() })),
  originals: z.record(z.string(), z.string()),
  filled: z._default(
    z.array(
      z.object({
        name: z.string(),
        row: z.number(),
        fields: z.array(z.string()),
        extra: z._default(z.array(z.object({ header: z.string(), value: z.string() })), []),
        originals: z._default(z.record(z.string(), z.string()), {}),
      }),
    ),
    [],
  ),
});
export type FileOrigin = z.infer<typeof FileOrigin>;

/**
 * Where the values of one of the caller's leads come from, in the order of the parts; what no call brought is left out.
 * - `file`: null for leads of no file
 * - `site`: null where the website was not visited
 * - `sources`: by column, what brought a value without a call: `file`, `website` or `open:<id>`. `file:google` and `file:open:<id>` stand in
 *   someone's own file, and were told before by the other
 * - `open`: the releases that `sources` names
 */
export const getProvenanceEndpoint = endpoint({
  method: 'GET',
  path: '/api/leads/:id/provenance',
  reads: true,
  query: z.object({ id: looseId }),
  data: z.object({
    provenance: z.array(Provenance),
    file: z.nullable(FileOrigin),
    site: z._default(z.nullable(LeadSiteVisit), null),
    sources: z._default(z.record(z.string(), z.string()), {}),
    open: z._default(z.array(OpenOrigin), []),
  }),
});
