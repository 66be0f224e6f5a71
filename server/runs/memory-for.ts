import type { ProviderId } from '#contract/providers.ts';
import type { Db } from '#db/client.ts';
import type { Memory } from '#server/paid-calls/count-known.ts';
import { findKey } from './find-key.ts';
import type { ListRecord } from './run-context.ts';

/** The memory that work on a list would use: that of the key of its owner, or of the list itself where none is connected. */
export async function memoryFor(db: Db, list: ListRecord, provider: ProviderId): Promise<Memory> {
  const key = await findKey(db, list.user_id, provider);
  return { userId: list.user_id, sandbox: key?.sandbox ?? list.sandbox ?? false };
}
