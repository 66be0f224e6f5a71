import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { Area } from './search/areas.ts';
import { COMPLETENESS } from './search/completeness.ts';

export const LIST_NAME_MAX_LENGTH = 250;
export const LISTS_PAGE_SIZE = 30;
export const LEADS_PAGE_SIZE = 25;

const flag = z.nullish(z.boolean());

/** Search parameters as the browser wrote them: miles and counts as strings, kept unchanged. */
export const SearchParams = z.object({
  businessType: z.optional(z.string()),
  location: z.optional(z.string()),
  radius: z.optional(z.union([z.string(), z.number()])),
  maxResults: z.optional(z.union([z.string(), z.number()])),
  onlyNew: z.optional(z.boolean()),
  source: z.optional(z.enum(['open', 'open_first'])),
  nextDay: z.optional(z.boolean()),
  area: z.optional(Area),
});
export type SearchParams = z.infer<typeof SearchParams>;

/** How leads of another list came into one. */
const CameFrom = z.object({ name: z.string(), how: z.enum(['copy', 'move', 'merge', 'duplicate']), at: z.string() });
export type CameFrom = z.infer<typeof CameFrom>;

/** A row of table lists, as the data API answers it; both spellings of the tier flags are read. */
export const ListRow = z.object({
  id: z.string(),
  user_id: z.optional(z.string()),
  name: z.string(),
  lead_count: z.nullish(z.number()),
  search_params: z.catch(SearchParams, {}),
  status: z.string(),
  completeness: z.nullish(z.number()),
  avg_completeness: z.nullish(z.number()),
  tier1_complete: flag,
  tier2_complete: flag,
  tier3_complete: flag,
  tier4_complete: flag,
  tier_1_complete: flag,
  tier_2_complete: flag,
  tier_3_complete: flag,
  tier_4_complete: flag,
  compliance_checked: flag,
  compliance_expires_at: z.nullish(z.string()),
  compliance_cost_micros: z.nullish(z.number()),
  has_emails: flag,
  has_contacts: flag,
  resolved_place: z.nullish(z.string()),
  sandbox: flag,
  came_from: z.catch(z.array(CameFrom), []),
  lifecycle_status: z.nullish(z.string()),
  archived_at: z.nullish(z.string()),
  retention_from: z.nullish(z.string()),
  keep: flag,
  created_at: z.string(),
  updated_at: z.nullish(z.string()),
});
export type ListRow = z.infer<typeof ListRow>;

/** A list as the browser works with it. */
export type LeadList = {
  id: string;
  name: string;
  leadCount: number;
  /** Percent. */
  completeness: number;
  status: 'processing' | 'completed' | 'failed';
  createdAt: string;
  updatedAt: string;
  tier1Complete: boolean;
  tier2Complete: boolean;
  tier3Complete: boolean;
  tier4Complete: boolean;
  /** Checked, and no verdict has run out. */
  complianceChecked: boolean;
  complianceCostMicros: number;
  hasEmails: boolean;
  hasContacts: boolean;
  /** Where the provider placed the location, such as "Springfield, IL"; empty until a search has located it. */
  resolvedPlace: string;
  /** Whether its data is invented. */
  sandbox: boolean;
  /** The lists that its leads were copied from, newest last. */
  cameFrom: CameFrom[];
  archived: boolean;
  archivedAt: string | undefined;
  /** Start of the retention clock: creation, or the latest restore. */
  retentionFrom: string;
  /** Kept for good: sweeps neither archive nor delete it. */
  keep: boolean;
  searchParams: SearchParams;
};

const readStatus = (status: string): LeadList['status'] =>
  status === 'processing' || status === 'failed' ? status : 'completed';

/** `now` in ms since 1970: a list of which a verdict has run out counts as not checked. */
export function readList(row: ListRow, { now = Date.now() }: { now?: number } = {}): LeadList {
  const expiresAt = row.compliance_expires_at ? Date.parse(row.compliance_expires_at) : Number.POSITIVE_INFINITY;
  return {
    id: row.id,
    name: row.name,
    leadCount: row.lead_count ?? 0,
    completeness: row.completeness ?? row.avg_completeness ?? COMPLETENESS.tier1,
    status: readStatus(row.status),
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? row.created_at,
    tier1Complete: row.tier1_complete ?? row.tier_1_complete ?? false,
    tier2Complete: row.tier2_complete ?? row.tier_2_complete ?? false,
    tier3Complete: row.tier3_complete ?? row.tier_3_complete ?? false,
    tier4Complete: row.tier4_complete ?? row.tier_4_complete ?? false,
    complianceChecked: (row.compliance_checked ?? false) && now <= expiresAt,
    complianceCostMicros: row.compliance_cost_micros ?? 0,
    hasEmails: row.has_emails ?? false,
    hasContacts: row.has_contacts ?? false,
    resolvedPlace: row.resolved_place ?? '',
    sandbox: row.sandbox ?? false,
    cameFrom: row.came_from,
    archived: row.lifecycle_status === 'archived',
    archivedAt: row.archived_at ?? undefined,
    retentionFrom: row.retention_from ?? row.created_at,
    keep: row.keep ?? false,
    searchParams: row.search_params,
  };
}

const COPY_MARK = ' (copy)';

/** What a list's copy is called; a long name gives way to the mark. */
export function copyName(name: string): string {
  // The database counts code points, and so must this.
  const room = LIST_NAME_MAX_LENGTH - COPY_MARK.length;
  return `${Array.from(name).slice(0, room).join('').trimEnd()}${COPY_MARK}`;
}

/** Makes an active copy of a list with its leads and all that is known of them. Nothing is paid. */
export const duplicateListEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/duplicate',
  body: z.object({ list_id: looseId }),
  data: z.object({ list_id: z.string(), name: z.string() }),
});
