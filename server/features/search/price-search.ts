import type { Db } from '#db/client.ts';
import type { Tx } from '#db/tx.ts';
import type { LocatedPlace } from '#providers/provider.ts';
import type { Memory } from '#server/paid-calls/count-known.ts';
import { remembered } from '#server/paid-calls/remembered.ts';
import { lastPage, pageSubject, type SearchInput } from './search-input.ts';
import { locateOperation, pageOperation, placeSubject } from './search-operations.ts';

export type SearchPrice = {
  /** Where the location lies; null: it is known to be no place; undefined: it has to be asked for. */
  centre: LocatedPlace | null | undefined;
  /** Pages that have to be paid for if Google has as many. */
  pagesToBuy: number[];
  /** The most that it can cost, in micro-dollars. */
  boundMicros: number;
};

/** What a search costs at the most, with what is remembered taken off. */
export async function priceSearch(db: Db | Tx, memory: Memory, input: SearchInput): Promise<SearchPrice> {
  const subject = placeSubject(input.location);
  const centre = (await remembered(db, memory, locateOperation, [subject])).get(subject)?.place;
  if (centre === null) return { centre, pagesToBuy: [], boundMicros: 0 };
  const pages = Array.from({ length: lastPage(input) }, (_, index) => index + 1);
  const pagesToBuy = centre ? await unknownPages(db, memory, input, centre, pages) : pages;
  const locateMicros = centre ? 0 : locateOperation.estimateMicros;
  return { centre, pagesToBuy, boundMicros: locateMicros + pagesToBuy.length * pageOperation.estimateMicros };
}

async function unknownPages(
  db: Db | Tx,
  memory: Memory,
  input: SearchInput,
  centre: LocatedPlace,
  pages: readonly number[],
): Promise<number[]> {
  const subjectOf = (page: number) => pageSubject(input, centre, page);
  const answers = await remembered(db, memory, pageOperation, pages.map(subjectOf));
  const last = pages.find((page) => {
    const answer = answers.get(subjectOf(page));
    return answer && answer.nextPageToken === undefined;
  });
  return pages.filter((page) => !answers.has(subjectOf(page)) && (last === undefined || page < last));
}
