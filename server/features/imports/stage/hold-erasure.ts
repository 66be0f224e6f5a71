import { sql } from 'kysely';

/**
 * Waits for an erasure under way, and keeps the next one waiting until the transaction ends: for rows that are read, and then written
 * elsewhere. The first statement of its transaction.
 */
export const holdErasure = sql`select app.hold_erasure('imports')`;
