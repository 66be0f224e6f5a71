import type { ProviderId } from '#contract/providers.ts';
import { MISSING_GOOGLE_KEY, MISSING_HUNTER_KEY, MISSING_SEARCHBUG_KEY } from '#contract/work/enrichment.ts';

/** What a user without a key for a provider is told. */
export const MISSING_KEY: Readonly<Record<ProviderId, string>> = {
  google_places: MISSING_GOOGLE_KEY,
  hunter_io: MISSING_HUNTER_KEY,
  searchbug: MISSING_SEARCHBUG_KEY,
};
