import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { maxCost } from '#contract/money/budgets.ts';
import { ALL_RESULTS, Area, Geometry } from './areas.ts';
import { BegunRun } from './runs.ts';
import { businessType, location, radius } from './search.ts';

/** The most business types that one search may have. */
const MOST_QUERIES = 10;
/** The most places that a survey looks for. It stops there and says so. */
export const MOST_PLACES = 100_000;

/** Whether a search is for all businesses of an area, and not for Google's first 60. */
export const isForAll = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'maxResults' in body && body.maxResults === ALL_RESULTS;

/** An area. Radius in meters. `location` and `radius` are for a circle. */
const WhereRequest = {
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
        z.maxLength(MOST_QUERIES, `Enter at most ${MOST_QUERIES} business types.`),
      ),
  ),
  /** Leaves out what stands in another of the caller's lists. */
  onlyNew: z.optional(z.boolean()),
};

const hasType = ({ query, queries }: { query?: string | undefined; queries?: string[] | undefined }) =>
  query !== undefined || queries !== undefined;
const hasPlace = ({
  area,
  location: where,
  radius: meters,
}: {
  area: Area;
  location?: string | undefined;
  radius?: number | undefined;
}) => area.kind !== 'circle' || (meters !== undefined && (area.center !== undefined || where !== undefined));

const NO_TYPE = 'Enter a business type.';
const NO_PLACE = 'Enter a location and a radius, or choose another kind of area.';

export const AreaSearchRequest = z.object(AreaRequest).check(z.refine(hasType, NO_TYPE), z.refine(hasPlace, NO_PLACE));
export type AreaSearchRequest = z.output<typeof AreaSearchRequest>;

/** Fills a list with every business of an area. Answered at once with 202; the run and the list show the rest. */
export const searchAreaEndpoint = endpoint({
  method: 'POST',
  path: '/api/search-leads',
  body: z
    .object({ ...AreaRequest, list_id: looseId, max_cost: maxCost })
    .check(z.refine(hasType, NO_TYPE), z.refine(hasPlace, NO_PLACE)),
  data: z.object({ runId: z.string() }),
});

const SURVEY_STATES = ['counting', 'counted', 'stopped'] as const;

/** How far a survey is, and what a search after it would cost. */
export const SurveyCount = z.object({
  state: z.enum(SURVEY_STATES),
  /** Why it stopped, in words; null while it counts or when it is done. */
  why: z.nullable(z.string()),
  /** Places seen, and those of them in none of the caller's lists. */
  found: z.number(),
  unlisted: z.number(),
  /** Rectangles that hold no more places than Google shows. */
  leaves: z.number(),
  freeCalls: z.number(),
  /** Pages with a place that is not known yet, and what they cost at most, in micro-dollars. */
  paidPages: z.number(),
  boundMicros: z.number(),
  /** How much of the area has been looked at, from 0 to 1. */
  share: z._default(z.number(), 0),
  /** Seconds until it is done, as far as that can be told; null before that. */
  etaSeconds: z.nullable(z.number()),
  /** Whether it stopped because the key may ask no more today, and when it goes on by itself, if its owner chose so. */
  outOfQuota: z._default(z.boolean(), false),
  resumeAt: z._default(z.nullable(z.string()), null),
  /** Rectangles that gave no answer. Continuing asks for them again. */
  gaps: z._default(z.number(), 0),
  /** What must be paid first to find out where the location lies, in micro-dollars. Nothing is counted before that. */
  lookUpMicros: z.number(),
  /** How large the area is, in square miles, where it is not counted before its owner says `large`. */
  largeSquareMiles: z.optional(z.number()),
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

/** Stops the survey of an area. What it found stays, and it can be continued. */
export const stopSurveyEndpoint = endpoint({
  method: 'POST',
  path: '/api/search-leads/count/stop',
  body: AreaSearchRequest,
  data: z.object({ stopped: z.boolean() }),
});

/** The outline of an area, to draw it before it is counted. Costs nothing. */
export const outlineEndpoint = endpoint({
  method: 'POST',
  path: '/api/areas/outline',
  body: z.object(WhereRequest).check(z.refine(hasPlace, NO_PLACE)),
  data: z.object({
    label: z.string(),
    /** Null while it is not known where the location lies. Beyond the antimeridian it goes on past 180 degrees. */
    outline: z.nullable(Geometry),
  }),
});
export type OutlineRequest = z.output<typeof outlineEndpoint.body>;

export const LEAF_STATES = ['complete', 'saturated', 'failed', 'open'] as const;

/** A rectangle in whole numbers of 1e-7 degrees. South and west belong to it, north and east do not. */
const Rectangle = { south: z.number(), west: z.number(), north: z.number(), east: z.number() };

export const Leaf = z.object({
  ...Rectangle,
  /** The business type that was searched for in it. */
  query: z.string(),
  /**
   * - `complete`: Google had fewer places than it shows.
   * - `saturated`: it had more, in the smallest rectangle.
   * - `failed`, `open`: it gave no answer, or was not asked yet.
   */
  state: z.enum(LEAF_STATES),
  ids: z.array(z.string()),
  pages: z.number(),
});
export type Leaf = z.infer<typeof Leaf>;

/** A leaf as a map shows it: how many places it holds, and not which. `query`: at which of the business types. */
const CountedLeaf = z.object({
  ...Rectangle,
  query: z.number(),
  state: z.enum(LEAF_STATES),
  places: z.number(),
});

/** The leaves of a survey, also while it counts. None before it begins. */
export const leavesEndpoint = endpoint({
  method: 'POST',
  path: '/api/search-leads/count/leaves',
  body: AreaSearchRequest,
  data: z.object({ queries: z.array(z.string()), leaves: z.array(CountedLeaf) }),
});

/** What a second, finer look at some leaves found. Shares from 0 to 1. */
const Reprobe = z.object({
  leaves: z.number(),
  /** Places seen in the second look, and those of them that the first had missed. */
  seen: z.number(),
  new: z.number(),
  /** The estimated share of places that are still missed, with its 95 % interval. */
  missedShare: z.number(),
  low: z.number(),
  high: z.number(),
});
export type Reprobe = z.infer<typeof Reprobe>;

/** What was covered, in proof. */
export const Coverage = z.object({
  area: z.object({
    label: z.string(),
    spec: Area,
    /** The radius of a circle. */
    meters: z.optional(z.number()),
    frames: z.array(z.object(Rectangle)),
  }),
  queries: z.array(z.string()),
  language: z.string(),
  startedAt: z.string(),
  finishedAt: z.nullable(z.string()),
  passes: z.number(),
  freeCalls: z.number(),
  /** Those that lie in the area, for each query. */
  leaves: z.array(Leaf),
  /** Rectangles of the frames that lie outside of the area. With the leaves they cover each frame exactly, once for each query. */
  outside: z.array(z.object({ ...Rectangle, query: z.string() })),
  /** What an independent check of the leaves and the rectangles outside came to. */
  partition: z.object({ exact: z.boolean(), why: z.nullable(z.string()) }),
  uniqueIds: z.number(),
  reprobe: z.nullable(Reprobe),
  /** Leaves without an answer, and those that are full in the smallest size. */
  gaps: z.array(Leaf),
  /** How many places Google counts in the area by itself, where that was asked for. */
  aggregateCount: z.optional(z.number()),
  /** What it costs to ask for that, in micro-dollars. Absent where Google has no such count. */
  aggregateMicros: z.optional(z.number()),
});
export type Coverage = z.infer<typeof Coverage>;

/** The certificate of a list that was searched for all of an area. */
export const coverageEndpoint = endpoint({
  method: 'GET',
  path: '/api/lists/:listId/coverage',
  query: z.object({ listId: looseId }),
  data: Coverage,
});

/** Pays Google for its own count of the area of a list, which stands beside what the survey found. */
export const googleCountEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/:listId/coverage/google-count',
  query: z.extend(BegunRun, { listId: looseId }),
  data: z.object({ count: z.number() }),
});
