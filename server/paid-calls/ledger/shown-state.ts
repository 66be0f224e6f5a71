import { sql } from 'kysely';

/** How a call of app.paid_calls stands for its readers: one that its run planned and never sent has not failed. */
export const SHOWN_STATE = sql<string>`case when state = 'failed' and sent_at is null then 'not_sent' else state end`;
