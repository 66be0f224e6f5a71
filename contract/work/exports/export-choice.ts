import { z } from 'zod/mini';

/** What an export can be narrowed to. */
export const EXPORT_FILTERS = ['all', 'has_emails', 'has_contacts', 'fully_enriched'] as const;
export type ExportFilter = (typeof EXPORT_FILTERS)[number];
export const EXPORT_COMPLIANCE = ['all_leads', 'clean'] as const;
export type ExportCompliance = (typeof EXPORT_COMPLIANCE)[number];
/** The longest time ahead for which an export asks who may be called, in hours. */
export const MOST_HOURS_AHEAD = 24;
export const callWithin = z.optional(
  z
    .int('Enter whole hours.')
    .check(z.minimum(1, 'Enter 1 to 24 hours.'), z.maximum(MOST_HOURS_AHEAD, 'Enter 1 to 24 hours.')),
);

/** `export_safe`: only values whose license lets them be kept. */
export const EXPORT_RIGHTS = ['all', 'export_safe'] as const;
export type ExportRights = (typeof EXPORT_RIGHTS)[number];
