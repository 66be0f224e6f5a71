import { complianceKind } from '#server/features/compliance/compliance-run.ts';
import { enrichmentKind } from '#server/features/enrichment/enrichment-run.ts';
import { searchKind } from '#server/features/search/search-run.ts';
import type { Kinds } from './run-context.ts';

/** Every kind of run. Only the worker knows all of them. */
export const kinds: Kinds = { search: searchKind, enrichment: enrichmentKind, compliance: complianceKind };
