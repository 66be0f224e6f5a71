import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { LocatedPlace } from '#providers/provider.ts';
import { locateOperation, placeSubject } from '#server/features/search/search-operations.ts';
import type { Memory } from '#server/paid-calls/memory/count-known.ts';
import { remembered } from '#server/paid-calls/memory/remembered.ts';

/** Reads where a location is from memory. Null when it is known to be no place, undefined when Google must be asked. */
export async function findPlace(
  db: Db | Tx,
  memory: Memory,
  location: string,
): Promise<LocatedPlace | null | undefined> {
  const subject = placeSubject(location);
  return (await remembered(db, memory, locateOperation, [subject])).get(subject)?.place;
}
