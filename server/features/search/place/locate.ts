import { prices } from '#providers/prices.ts';
import type { LocatedPlace, PlaceFinder } from '#providers/provider.ts';
import {
  type LocateAnswer,
  locateOperation,
  placeSubject,
  REMEMBER_PLACE_MS,
  REMEMBER_UNKNOWN_PLACE_MS,
} from '#server/features/search/search-operations.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { Purchase } from '#server/paid-calls/operation.ts';
import { pay } from '#server/paid-calls/pay.ts';
import type { RunContext } from '#server/runs/run-context.ts';
import { unknownPlace } from './unknown-place.ts';

/**
 * Finds out where a location is. Asks Google unless it is known.
 * @throws UNKNOWN_PLACE
 * @throws PROVIDER_FAILED when the answer was lost.
 * @throws what `pay` throws.
 */
export async function locate(
  context: RunContext,
  finder: PlaceFinder,
  location: string,
  then: Pick<Purchase<LocateAnswer>, 'storing' | 'next'> = {},
): Promise<LocatedPlace> {
  const subject = placeSubject(location);
  const outcomes = await pay(context, {
    operation: locateOperation,
    subjects: [subject],
    async send() {
      const place = (await finder.locate(location)) ?? null;
      const rememberMs = place ? REMEMBER_PLACE_MS : REMEMBER_UNKNOWN_PLACE_MS;
      return new Map([[subject, { answer: { place }, costMicros: prices.googleLocateMicros, rememberMs }]]);
    },
    ...then,
  });
  const outcome = outcomes.get(subject);
  if (outcome?.state !== 'answered') throw lostAnswer();
  if (!outcome.answer.place) throw unknownPlace(location);
  return outcome.answer.place;
}

/** The failure of a run whose answer did not arrive. */
export const lostAnswer = (): AppError =>
  new AppError(
    'PROVIDER_FAILED',
    'The response from Google Places could not be read. One request may have been charged. Press Retry to send it again.',
  );
