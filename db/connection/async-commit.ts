import { sql } from 'kysely';

/**
 * A condition that always holds. It keeps the commit of its statement or transaction from waiting for the disk.
 * - A crash of PostgreSQL may undo such a commit of the last second, unless one that waited came after it.
 * - Commits that notify wait for the disk one after the other in all of PostgreSQL. What may be lost need not wait there.
 */
export const asyncCommit = sql<boolean>`(select set_config('synchronous_commit', 'off', true)) is not null`;
