import type { EnrichmentTotals } from '#contract/work/runs.ts';
import type { Progress } from '#server/runs/progress/progress.ts';

/** What an enrichment counts as it goes. What its leads got is counted where that is stored. */
export type EnrichmentProgress = Progress<
  Exclude<keyof EnrichmentTotals, 'leadsUpdated' | 'emailsAdded' | 'contactsAdded'>
>;
