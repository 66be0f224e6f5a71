import { sql } from 'kysely';

/**
 * Until when a process that resumes something has it to itself. If the process dies, another takes it then.
 * - In whole milliseconds, so that it can be compared with what JavaScript has read.
 */
export const RESUME_LEASE = sql<Date>`date_trunc('milliseconds', now()) + interval '5 minutes'`;
