import { type RawBuilder, sql } from 'kysely';

/** Days as an interval of hours: a day of the clock change counts like every other, as it does in the browser. */
export const days = (count: number): RawBuilder<unknown> => sql`${count * 24} * interval '1 hour'`;
