import type { ProviderId } from '#contract/providers.ts';
import type { Db } from '#db/connection/client.ts';
import type { Memory } from '#server/paid-calls/memory/count-known.ts';
import type { ListRecord } from '#server/runs/run-context.ts';
import { findKey } from './find-key.ts';

/** The memory that work on a list would use. Its kind of data decides, or its owner's key while no run has decided that. */
export async function memoryFor(db: Db, list: ListRecord, provider: ProviderId): Promise<Memory> {
  const sandbox = list.sandbox ?? (await findKey(db, list.user_id, provider))?.sandbox ?? false;
  return { userId: list.user_id, sandbox };
}
