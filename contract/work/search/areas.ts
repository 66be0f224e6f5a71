import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** `maxResults` of a search for every business of an area. */
export const ALL_RESULTS = 'all';
/** The most ZIP codes that one search may name. */
export const MOST_ZIPS = 100;

/** The most points, and the most parts and holes, that one shape may have. */
export const MOST_POINTS = 10_000;
export const MOST_RINGS = 500;

const Latitude = z.number().check(z.minimum(-90), z.maximum(90));
const Longitude = z.number().check(z.minimum(-180), z.maximum(180));
const Position = z.array(z.number());
const Rings = z.array(z.array(Position));

/** A GeoJSON geometry (RFC 7946), in degrees, longitude first. */
export const Geometry = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('Polygon'), coordinates: Rings }),
    z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(Rings) }),
  ],
  { error: 'Send a GeoJSON Polygon or MultiPolygon.' },
);

export type Geometry = z.infer<typeof Geometry>;

/** Where to look for every business. A circle without a center lies around `location`. */
export const Area = z.discriminatedUnion(
  'kind',
  [
    z.object({
      kind: z.literal('circle'),
      center: z.optional(z.object({ latitude: Latitude, longitude: Longitude })),
    }),
    z.object({
      kind: z.literal('county'),
      fips: z.string().check(z.regex(/^\d{5}$/, 'A county has five digits, such as 17031 for Cook County, IL.')),
    }),
    z.object({
      kind: z.literal('state'),
      code: z.string().check(z.regex(/^[A-Za-z]{2}$/, 'A state has two letters, such as IL.')),
    }),
    z.object({
      kind: z.literal('zips'),
      codes: z
        .array(z.string().check(z.regex(/^\d{5}$/, 'A ZIP code has five digits, such as 62701.')))
        .check(
          z.minLength(1, 'Enter at least one ZIP code.'),
          z.maxLength(MOST_ZIPS, `Enter at most ${MOST_ZIPS} ZIP codes.`),
        ),
    }),
    z.object({ kind: z.literal('polygon'), geometry: Geometry }),
    /** The area that one of the caller's surveys has counted. A shape of thousands of points need not be sent, or kept, twice. */
    z.object({ kind: z.literal('counted'), survey: z.string() }),
  ],
  { error: 'Choose a circle, a county, a state, ZIP codes, a polygon or a counted area.' },
);
export type Area = z.infer<typeof Area>;

/** A search for every business of an area, as it is stored. Radius in meters. */
export const AreaSearch = z.object({
  maxResults: z.literal(ALL_RESULTS),
  queries: z.array(z.string()),
  area: Area,
  location: z.optional(z.string()),
  radius: z.optional(z.number()),
  onlyNew: z.optional(z.boolean()),
  /** Open data first, and Google for what it lacks. */
  source: z.optional(z.literal('open_first')),
  /** Goes on by itself when the key may ask again, after a day's limit. */
  nextDay: z.optional(z.boolean()),
});
export type AreaSearch = z.infer<typeof AreaSearch>;

/** The counties of the USA, and what some states have in their place. `name`: such as “Cook County”. `state`: its postal code. */
export const countiesEndpoint = endpoint({
  method: 'GET',
  path: '/api/areas/counties',
  reads: true,
  data: z.object({ counties: z.array(z.object({ fips: z.string(), name: z.string(), state: z.string() })) }),
});
