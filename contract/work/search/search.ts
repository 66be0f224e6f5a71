import { z } from 'zod/mini';
import { endpoint, looseId, looseNumber } from '#contract/endpoint.ts';
import { maxCost, quotedSandbox } from '#contract/money/budgets.ts';
import { LeadRow } from '#contract/work/leads.ts';
import { OpenDataHere, SEARCH_SOURCES } from '#contract/work/open-data.ts';
import { BegunRun } from '#contract/work/runs.ts';
import { ALL_RESULTS, Area } from './areas.ts';

const METERS_PER_MILE = 1609.34;
export const RADIUS_CHOICES_MILES = ['5', '10', '25', '50', '100'] as const;
export const MAX_RESULTS_CHOICES = ['20', '30', '60'] as const;
export const DEFAULT_RADIUS_MILES = '25';
const DEFAULT_MAX_RESULTS = '60';
/** Used when max results cannot be read as a number. */
const MAX_RESULTS_FALLBACK = 50;
/** Google's Text Search answers at most 60 places for one query. */
export const MAX_RESULTS_LIMIT = 60;

const TYPE_MIN_LENGTH = 3;
const TYPE_TOO_SHORT = 'Business type must be at least 3 characters';
/** Longest business type or location that is accepted, in characters. */
export const SEARCH_TEXT_MAX_LENGTH = 100;

/** Radius of a search in meters, as the product API takes it. */
export const milesToMeters = (miles: number): number => Math.round(miles * METERS_PER_MILE);

export const businessType = z
  .string()
  .check(
    z.trim(),
    z.minLength(TYPE_MIN_LENGTH, TYPE_TOO_SHORT),
    z.maxLength(SEARCH_TEXT_MAX_LENGTH, `Business type must be at most ${SEARCH_TEXT_MAX_LENGTH} characters`),
  );
export const location = z
  .string()
  .check(
    z.trim(),
    z.minLength(2, 'Location must be at least 2 characters'),
    z.maxLength(SEARCH_TEXT_MAX_LENGTH, `Location must be at most ${SEARCH_TEXT_MAX_LENGTH} characters`),
  );

/** The most business types of one search for all of an area. */
export const MOST_TYPES = 10;
/** Longest text of several business types: as many of the longest as there may be, with commas. */
export const TYPES_TEXT_MAX_LENGTH = MOST_TYPES * (SEARCH_TEXT_MAX_LENGTH + 2);

/** The business types of a search for all of an area, which are separated by commas. */
export const typesOf = (text: string): string[] =>
  text
    .split(',')
    .map((type) => type.trim())
    .filter(Boolean);

/** What is wrong with the business types of a form; undefined when nothing is. */
function wrongTypes({
  businessType: text,
  maxResults,
}: {
  businessType: string;
  maxResults: string;
}): string | undefined {
  // The field has said so itself.
  if (text.length < TYPE_MIN_LENGTH) return undefined;
  const types = maxResults === ALL_RESULTS ? typesOf(text) : [text];
  if (types.length > MOST_TYPES) return `Enter at most ${MOST_TYPES} business types`;
  const refused = types.map((type) => businessType.safeParse(type)).find(({ success }) => !success);
  return refused?.error?.issues[0]?.message;
}

/** The New Search form; radius in miles and max results are strings, as spec section 3 has them. */
const FormFields = z.object({
  businessType: z.string().check(z.trim(), z.minLength(TYPE_MIN_LENGTH, TYPE_TOO_SHORT)),
  location,
  radius: z.string(),
  maxResults: z.string(),
  /** Unset unless it was chosen, so that it does not stand with every list. */
  onlyNew: z.optional(z.literal(true)),
  /** Unset for Google Places. */
  source: z.optional(z.enum(['open', 'open_first'])),
  /** Only with all results: an area other than the circle around the location, which is called what `location` says then. */
  area: z.optional(Area),
  /** Only with all results, where it was chosen: goes on by itself after a day's limit. */
  nextDay: z.optional(z.literal(true)),
});
export const SearchForm = FormFields.check(
  z.superRefine((form, ctx) => {
    const message = wrongTypes(form);
    if (message) ctx.addIssue({ code: 'custom', message, path: ['businessType'] });
  }),
);
export type SearchForm = z.infer<typeof SearchForm>;

export const SEARCH_FORM_DEFAULTS: SearchForm = {
  businessType: '',
  location: '',
  radius: DEFAULT_RADIUS_MILES,
  maxResults: DEFAULT_MAX_RESULTS,
};

/** Max results as a number; the fallback when it cannot be read. */
export function readMaxResults(text: string): number {
  const value = Number.parseInt(text, 10);
  return Number.isFinite(value) && value > 0 ? Math.min(value, MAX_RESULTS_LIMIT) : MAX_RESULTS_FALLBACK;
}

/** Longest name of a list, in characters. */
const NAME_MAX_LENGTH = 250;

/** The name a new list gets. Of many business types it tells how many there are. */
export function listName({
  businessType: text,
  location: where,
}: Pick<SearchForm, 'businessType' | 'location'>): string {
  const whole = `${text} in ${where}`;
  if (whole.length <= NAME_MAX_LENGTH) return whole;
  const [first = '', ...others] = typesOf(text);
  return `${first} and ${others.length} more in ${where}`;
}

/** In meters. */
export const radius = looseNumber.check(
  z.refine((meters) => meters >= 1 && meters <= 161_000, 'Choose a radius of 1 to 100 miles.'),
);

/** What to search for. */
const Request = {
  query: businessType,
  location,
  radius,
  maxResults: looseNumber.check(
    z.refine(
      (n) => Number.isInteger(n) && n >= 1 && n <= MAX_RESULTS_LIMIT,
      `Choose 1 to ${MAX_RESULTS_LIMIT} results.`,
    ),
  ),
  /** Leaves out what stands in another of the caller's lists. */
  onlyNew: z.optional(z.boolean()),
  /** Open data first, and Google for what it is not known to have. */
  source: z.optional(z.enum(SEARCH_SOURCES)),
};

/** Fills a list that the browser has inserted. Returns all stored leads. */
export const searchLeadsEndpoint = endpoint({
  method: 'POST',
  path: '/api/search-leads',
  query: BegunRun,
  body: z.object({ ...Request, list_id: looseId, max_cost: maxCost, sandbox: quotedSandbox }),
  data: z.object({ leads: z.optional(z.array(LeadRow)), leadsWithPhones: z.optional(z.array(LeadRow)) }),
});

/** Finds out where a location is, so that what lies around it can be counted. Paid for, unless it is known. */
export const lookUpPlaceEndpoint = endpoint({
  method: 'POST',
  path: '/api/places/look-up',
  query: BegunRun,
  body: z.object({ location, sandbox: quotedSandbox }),
  data: z.object({ place: z.string() }),
});

export const SearchRequest = z.object(Request);
export type SearchRequest = z.output<typeof SearchRequest>;

/** What a search would come upon now. Google may answer otherwise when it runs. */
export const SearchCount = z.object({
  /** Where the location lies; null when that is not known yet: then nothing was counted. */
  place: z.nullable(z.string()),
  /** What it costs to find that out, in micro-dollars. */
  lookUpMicros: z.number(),
  /** Places in the square around the circle that the search comes to: as many as it asks for, or 60 while it looks for new ones. */
  found: z.number(),
  /** Whether Google has more than these. */
  more: z._default(z.boolean(), false),
  /** Those of them in none of the caller's lists, and not known to be left out. */
  unlisted: z.number(),
  /** Places that a search of the last 30 days has found to be permanently closed, or outside the circle: they are never kept. */
  leftOut: z._default(z.number(), 0),
  /** With open data first: what that has here. */
  openData: z.optional(OpenDataHere),
  /** The most that the search can cost, in micro-dollars. */
  boundMicros: z.number(),
  /** What the first call of it costs, in micro-dollars: with less, nothing can be bought. */
  callMicros: z._default(z.number(), 0),
  /** Whether it would be sandbox money. */
  sandbox: z.optional(z.boolean()),
});
export type SearchCount = z.infer<typeof SearchCount>;

/** Counts what a search would come upon, without paying for anything. */
export const countSearchEndpoint = endpoint({
  method: 'POST',
  path: '/api/search-leads/count',
  body: SearchRequest,
  data: SearchCount,
});
