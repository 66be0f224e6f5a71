import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';

/** Notes when the contact of an entry asked to be left alone. Of several requests the first counts; one after the entry counts no more. */
export async function noteRequest(tx: Tx, key: string, askedAt: Date): Promise<void> {
  await sql`
    update app.suppressions set asked_at = ${askedAt} where key = ${key} and ${askedAt} < coalesce(asked_at, added_at)
  `.execute(tx);
}
