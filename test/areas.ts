import type { BodyOf } from '#contract/endpoint.ts';
import type { countAreaEndpoint } from '#contract/work/search/surveys.ts';

/** A search for all dentists of a city of the sandbox. */
export const CITY: BodyOf<typeof countAreaEndpoint> = {
  maxResults: 'all',
  query: 'dentist',
  area: { kind: 'circle', center: { latitude: 38.5, longitude: -98.5 } },
  radius: 15_000,
};
