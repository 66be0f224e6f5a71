import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { AppError } from '#server/lib/app-error.ts';

/**
 * Orders everything that may leave fewer active administrators, until the transaction ends. Taken before any row is locked.
 * When two requests come at the same moment, the second sees what the first has done.
 */
export async function lockAdmins(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('administrators', 0))`.execute(tx);
}

/**
 * Refuses to go on without an administrator; only sure after lockAdmins.
 * @throws CONFLICT unless someone besides `userId` is an active administrator.
 */
export async function requireOtherAdmin(tx: Tx, userId: string): Promise<void> {
  const other = await tx
    .selectFrom('app.profiles')
    .select('user_id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst();
  if (!other)
    throw new AppError('CONFLICT', 'This is the last active administrator. Make someone else an administrator first.');
}
