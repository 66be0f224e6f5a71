/** What an export can be narrowed to. */
export const EXPORT_FILTERS = ['all', 'has_emails', 'has_contacts', 'fully_enriched'] as const;
export type ExportFilter = (typeof EXPORT_FILTERS)[number];
export const EXPORT_COMPLIANCE = ['all_leads', 'clean'] as const;
export type ExportCompliance = (typeof EXPORT_COMPLIANCE)[number];
