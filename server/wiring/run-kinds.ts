import { complianceKind } from '#server/features/compliance/compliance-run.ts';
import { enrichmentKind } from '#server/features/enrichment/enrichment-run.ts';
import { placeKind } from '#server/features/search/place/place-run.ts';
import { searchKind } from '#server/features/search/search-run.ts';
import { surveyKind } from '#server/features/search/survey/survey-run.ts';
import type { Kinds } from '#server/runs/run-context.ts';

/** Every kind of run. Runs themselves know none of them. */
export const kinds: Kinds = {
  search: searchKind,
  enrichment: enrichmentKind,
  compliance: complianceKind,
  place: placeKind,
  survey: surveyKind,
};
