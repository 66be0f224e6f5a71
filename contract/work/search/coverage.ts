import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { BegunRun } from '#contract/work/runs.ts';
import { Area, Geometry } from './areas.ts';
import { AreaSearchRequest, hasPlace, NO_PLACE, WhereRequest } from './surveys.ts';

/** The outline of an area, to draw it before it is counted. Costs nothing. */
export const outlineEndpoint = endpoint({
  method: 'POST',
  path: '/api/areas/outline',
  growsWith: 'body',
  reads: true,
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
  reads: true,
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
  /** Places seen in the area, without those that are known to lie outside of it. */
  uniqueIds: z.number(),
  /** Of these, places that were seen in a part before it was divided, and in none of its pieces since. */
  unplaced: z._default(z.number(), 0),
  unplacedIds: z._default(z.array(z.string()), []),
  /** Places of the leaves that a paid page has shown to lie outside of the area: leaves cross its border. */
  outsideIds: z._default(z.number(), 0),
  /** How many of the places seen are in the list now. */
  inList: z.optional(z.number()),
  reprobe: z.nullable(Reprobe),
  /** Leaves without an answer, and those that are full in the smallest size. */
  gaps: z.array(Leaf),
  /** How many places Google counts in the area by itself, where that was asked for. */
  aggregateCount: z.optional(z.number()),
  /** What it costs to ask for that, in micro-dollars. Absent where Google has no such count. */
  aggregateMicros: z.optional(z.number()),
  /** What was counted after the list was searched, which changes nothing above. `gaps`: how many there are now. */
  later: z.optional(
    z.object({ passes: z.number(), newPlaces: z.number(), gaps: z.number(), finishedAt: z.nullable(z.string()) }),
  ),
});
export type Coverage = z.infer<typeof Coverage>;

/** The certificate of a list that was searched for all of an area. */
export const coverageEndpoint = endpoint({
  method: 'GET',
  path: '/api/lists/:listId/coverage',
  reads: true,
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
