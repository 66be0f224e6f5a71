import { sql } from 'kysely';

/** The state of a call in app.paid_calls as readers see it: one that its run planned and never sent has not failed. */
export const SHOWN_STATE = sql<string>`case when state = 'failed' and sent_at is null then 'not_sent' else state end`;
