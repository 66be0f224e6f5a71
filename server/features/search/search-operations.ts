import { z } from 'zod/mini';
import { COORDINATES_DAYS } from '#contract/work/retention.ts';
import { prices } from '#providers/prices.ts';
import type { LocatedPlace, Place } from '#providers/provider.ts';
import type { Operation } from '#server/paid-calls/operation.ts';

const DAY_MS = 86_400_000;
export const REMEMBER_PLACE_MS = COORDINATES_DAYS * DAY_MS;
/** A text that is not a known place may be one tomorrow. Until then a second press of the button pays nothing. */
export const REMEMBER_UNKNOWN_PLACE_MS = DAY_MS;
/** Long enough for Retry, and for the same search for another list, to reuse the pages that were paid for. */
export const REMEMBER_PAGE_MS = DAY_MS;

const number = z.optional(z.number());
const text = z.optional(z.string());

const Located = z.object({
  place: z.nullable(z.object({ id: z.string(), label: z.string(), latitude: z.number(), longitude: z.number() })),
});
const Page = z.object({
  places: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      phone: text,
      address: text,
      website: text,
      latitude: number,
      longitude: number,
      serviceArea: z.boolean(),
      closedPermanently: z.boolean(),
    }),
  ),
  nextPageToken: text,
});

/** `null`: Google does not find the place. */
export type LocateAnswer = { place: LocatedPlace | null };
export type PageAnswer = { places: Place[]; nextPageToken?: string };

/** Subject: the normalized text. */
export const locateOperation: Operation<LocateAnswer> = {
  provider: 'google_places',
  name: 'locate',
  estimateMicros: prices.googleLocateMicros,
  readAnswer: (stored) => Located.safeParse(stored).data,
};

/** Subject: query, circle and page number. */
export const pageOperation: Operation<PageAnswer> = {
  provider: 'google_places',
  name: 'search_page',
  estimateMicros: prices.googleSearchPageMicros,
  readAnswer: (stored) => Page.safeParse(stored).data as PageAnswer | undefined,
};

/** The subject of a typed place. Other spaces or capitals make no difference. */
export const placeSubject = (typed: string): string => typed.trim().replace(/\s+/g, ' ').toLowerCase();
