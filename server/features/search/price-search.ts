import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { LocatedPlace } from '#providers/provider.ts';
import type { Memory } from '#server/paid-calls/memory/count-known.ts';
import { remembered } from '#server/paid-calls/memory/remembered.ts';
import { findPlace } from './place/find-place.ts';
import { lastPage, pageSubject, type SearchInput } from './search-input.ts';
import { locateOperation, pageOperation } from './search-operations.ts';

export type SearchPrice = {
  /** Where the location is. Null: it is known to be no place. Undefined: Google has to be asked. */
  center: LocatedPlace | null | undefined;
  /** What it costs to ask, in micro-dollars. */
  lookUpMicros: number;
  /** Pages that have to be paid for if Google has that many. */
  pagesToBuy: number[];
  /** The most that it can cost, in micro-dollars. */
  boundMicros: number;
};

/** Returns the most that a search can cost. What is remembered costs nothing. */
export async function priceSearch(db: Db | Tx, memory: Memory, input: SearchInput): Promise<SearchPrice> {
  const center = await findPlace(db, memory, input.location);
  if (center === null) return { center, lookUpMicros: 0, pagesToBuy: [], boundMicros: 0 };
  const pages = Array.from({ length: lastPage(input) }, (_, index) => index + 1);
  const pagesToBuy = center ? await unknownPages(db, memory, input, center, pages) : pages;
  const lookUpMicros = center ? 0 : locateOperation.estimateMicros;
  return {
    center,
    lookUpMicros,
    pagesToBuy,
    boundMicros: lookUpMicros + pagesToBuy.length * pageOperation.estimateMicros,
  };
}

async function unknownPages(
  db: Db | Tx,
  memory: Memory,
  input: SearchInput,
  center: LocatedPlace,
  pages: readonly number[],
): Promise<number[]> {
  const subjectOf = (page: number) => pageSubject(input, center, page);
  const answers = await remembered(db, memory, pageOperation, pages.map(subjectOf));
  const last = pages.find((page) => {
    const answer = answers.get(subjectOf(page));
    return answer && answer.nextPageToken === undefined;
  });
  return pages.filter((page) => !answers.has(subjectOf(page)) && (last === undefined || page < last));
}
