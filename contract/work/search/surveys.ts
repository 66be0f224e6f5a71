import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { maxCost, quotedSandbox } from '#contract/money/budgets.ts';
import { OpenDataHere, SEARCH_SOURCES } from '#contract/work/open-data.ts';
import { ALL_RESULTS, Area } from './areas.ts';
import { businessType, location, MOST_TYPES, radius } from './search.ts';

/** The most places that a survey looks for. It stops there and says so. */
export const MOST_PLACES = 100_000;

/** Whether a search is for all businesses of an area, and not for Google's first 60. */
export const isForAll = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'maxResults' in body && body.maxResults === ALL_RESULTS;

/** An area. Radius in meters. `location` and `radius` are for a circle. */
export const WhereRequest = {
  area: z._default(Area, { kind: 'circle' }),
  location: z.optional(location),
  radius: z.optional(radius),
};

/** Every business of these types in an area. */
const AreaRequest = {
  maxResults: z.literal(ALL_RESULTS),
  ...WhereRequest,
  query: z.optional(businessType),
  queries: z.optional(
    z
      .array(businessType)
      .check(
        z.minLength(1, 'Enter at least one business type.'),
        z.maxLength(MOST_TYPES, `Enter at most ${MOST_TYPES} business types.`),
      ),
  ),
  /** Leaves out what stands in another of the caller's lists. */
  onlyNew: z.optional(z.boolean()),
  /** Open data first, and Google for what it is not known to have. */
  source: z.optional(z.enum(SEARCH_SOURCES)),
  /** Of a search: when it meets a day's limit, it goes on by itself once the key may ask again, within its bound. */
  nextDay: z.optional(z.boolean()),
};

const hasType = ({ query, queries }: { query?: string | undefined; queries?: string[] | undefined }) =>
  query !== undefined || queries !== undefined;
export const hasPlace = ({
  area,
  location: where,
  radius: meters,
}: {
  area: Area;
  location?: string | undefined;
  radius?: number | undefined;
}) => area.kind !== 'circle' || (meters !== undefined && (area.center !== undefined || where !== undefined));

const NO_TYPE = 'Enter a business type.';
export const NO_PLACE = 'Enter a location and a radius, or choose another kind of area.';

export const AreaSearchRequest = z.object(AreaRequest).check(z.refine(hasType, NO_TYPE), z.refine(hasPlace, NO_PLACE));
export type AreaSearchRequest = z.output<typeof AreaSearchRequest>;

/** Fills a list with every business of an area. Answered at once with 202; the run and the list show the rest. */
export const searchAreaEndpoint = endpoint({
  method: 'POST',
  path: '/api/search-leads',
  body: z
    .object({ ...AreaRequest, list_id: looseId, max_cost: maxCost, sandbox: quotedSandbox })
    .check(z.refine(hasType, NO_TYPE), z.refine(hasPlace, NO_PLACE)),
  data: z.object({ runId: z.string() }),
});

const SURVEY_STATES = ['counting', 'counted', 'stopped'] as const;

/** How far a survey is, and what a search after it would cost. */
export const SurveyCount = z.object({
  /** Names the area from now on; absent before it is counted. */
  surveyId: z.optional(z.string()),
  state: z.enum(SURVEY_STATES),
  /** Why it stopped, in words; null while it counts or when it is done. */
  why: z.nullable(z.string()),
  /** Places seen, without those known to lie outside; and those of them that a search may add: open, and in none of the caller's lists. */
  found: z.number(),
  unlisted: z.number(),
  /** Rectangles that hold no more places than Google shows. */
  leaves: z.number(),
  freeCalls: z.number(),
  /** Pages with a place that is not known yet, and what they cost at most, in micro-dollars. */
  paidPages: z.number(),
  boundMicros: z.number(),
  /** Whether it would be sandbox money. */
  sandbox: z.optional(z.boolean()),
  /** Places that were seen in a part before it was divided, and in none of its pieces since: no page brings them. */
  unplaced: z._default(z.number(), 0),
  /** With open data first: what that has here. */
  openData: z.optional(OpenDataHere),
  /** How much of the work is done, from 0 to 1: of the second look once that has begun. */
  share: z._default(z.number(), 0),
  /** Seconds until it is done, as far as that can be told; null before that. */
  etaSeconds: z.nullable(z.number()),
  /** The second look at some parts: how many are to come in all. Null before it begins. */
  again: z._default(z.nullable(z.object({ done: z.number(), planned: z.number() })), null),
  /** While a search counts it: the name of the list that this search fills. Only canceling that search stops the count. */
  bySearchOf: z._default(z.nullable(z.string()), null),
  /** Whether it stopped because it has found as many places as a count looks for. What it has can be bought. */
  atLimit: z._default(z.boolean(), false),
  /** Whether it stopped because the key may ask no more today, and when it goes on by itself, if its owner chose so. */
  outOfQuota: z._default(z.boolean(), false),
  resumeAt: z._default(z.nullable(z.string()), null),
  /** Rectangles that gave no answer. Continuing asks for them again. */
  gaps: z._default(z.number(), 0),
  /** What must be paid first to find out where the location lies, in micro-dollars. Nothing is counted before that. */
  lookUpMicros: z.number(),
  /** How large the area is, in square miles, where it is not counted before its owner says `large`. */
  largeSquareMiles: z.optional(z.number()),
  /** How many free calls its count takes at most, roughly. */
  largeCalls: z.optional(z.number()),
});
export type SurveyCount = z.infer<typeof SurveyCount>;

/**
 * - `watch`: only says how far it is.
 * - `again`: looks a further time at an area that is counted, and adds what is new.
 * - `large`: counts an area of any size.
 * - `tomorrow`: goes on by itself when the key may ask again.
 */
export const AreaCountRequest = z
  .object({
    ...AreaRequest,
    watch: z.optional(z.boolean()),
    again: z.optional(z.boolean()),
    large: z.optional(z.boolean()),
    tomorrow: z.optional(z.boolean()),
  })
  .check(z.refine(hasType, NO_TYPE), z.refine(hasPlace, NO_PLACE));
export type AreaCountRequest = z.output<typeof AreaCountRequest>;

/** Begins or continues the survey of an area, which costs nothing, and says how far it is. */
export const countAreaEndpoint = endpoint({
  method: 'POST',
  path: '/api/search-leads/count',
  body: AreaCountRequest,
  data: SurveyCount,
});

/**
 * Areas that the caller has counted and not searched yet, the newest first. `radius`: of a circle around a point, in meters.
 * - A circle around a location is not among them: it is counted on when its location is typed again.
 */
export const countedAreasEndpoint = endpoint({
  method: 'GET',
  path: '/api/areas/counted',
  reads: true,
  data: z.object({
    counts: z.array(
      z.object({
        surveyId: z.string(),
        queries: z.array(z.string()),
        label: z.string(),
        area: Area,
        radius: z.optional(z.number()),
        usedAt: z.string(),
      }),
    ),
  }),
});

/** Stops the survey of an area. What it found stays, and it can be continued. */
export const stopSurveyEndpoint = endpoint({
  method: 'POST',
  path: '/api/search-leads/count/stop',
  body: AreaSearchRequest,
  data: z.object({ stopped: z.boolean() }),
});
