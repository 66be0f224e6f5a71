import { sql } from 'kysely';

/**
 * A condition that always holds: the commit of its statement, or of the transaction that this is part of, does not wait for the disk. A
 * crash of PostgreSQL may undo what was committed so in the last second, unless a commit that did wait came after it.
 *
 * Commits that notify stand in one line for all of PostgreSQL, and each waits for its disk there. What may be lost does not have to.
 */
export const asyncCommit = sql<boolean>`(select set_config('synchronous_commit', 'off', true)) is not null`;
