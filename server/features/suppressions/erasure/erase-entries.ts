import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { type ErasedSubject, patternOf } from './erased-subject.ts';

/** Takes the subject off the list and out of notes: its hash holds it back from now on. */
export async function eraseEntries(tx: Tx, subject: ErasedSubject): Promise<void> {
  await tx.deleteFrom('app.suppressions').where('key', '=', subject.key).execute();
  await sql`delete from app.removed_suppressions where hash = decode(${subject.hash}, 'hex')`.execute(tx);
  await tx.deleteFrom('app.stop_requests').where('key', '=', subject.key).execute();
  await sql`update app.suppressions set note = null where note ~* ${patternOf(subject)}`.execute(tx);
}
