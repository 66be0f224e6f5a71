import { z } from 'zod/mini';
import { ALL_RESULTS, AreaSearch } from '#contract/work/search/areas.ts';
import type { AreaSearchRequest } from '#contract/work/search/surveys.ts';
import { queriesOf } from '#server/features/search/survey/survey.ts';

/** What a search for every business of an area stores as its input. Radius in meters. */
export const AreaInput = z.extend(AreaSearch, {
  /** Its survey was not done when it began, and no limit was set: what it may cost is decided after the survey. */
  pricedLater: z.optional(z.literal(true)),
  /** It goes on by itself: no person has started it. */
  unattended: z.optional(z.literal(true)),
  /** On how many days in a row it went on by itself and brought nothing. */
  idleDays: z.optional(z.number()),
});
export type AreaInput = z.infer<typeof AreaInput>;

export const areaInputOf = (request: AreaSearchRequest): AreaInput => ({
  maxResults: ALL_RESULTS,
  queries: queriesOf(request),
  area: request.area,
  ...(request.location === undefined ? {} : { location: request.location }),
  ...(request.radius === undefined ? {} : { radius: request.radius }),
  ...(request.onlyNew ? { onlyNew: true } : {}),
  ...(request.source === 'open_first' ? { source: request.source } : {}),
  ...(request.nextDay ? { nextDay: true } : {}),
});
