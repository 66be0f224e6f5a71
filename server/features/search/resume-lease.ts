import { sql } from 'kysely';

/**
 * Until when a process that goes on with something has it to itself. One that dies meanwhile leaves it to another.
 * - In whole milliseconds, so that it can be compared with what JavaScript has read.
 */
export const RESUME_LEASE = sql<Date>`date_trunc('milliseconds', now()) + interval '5 minutes'`;
