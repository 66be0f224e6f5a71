import { type RawBuilder, sql } from 'kysely';

/** What is booked for all compliance checks of a list, in micro-dollars, however they ended. */
export const costOfChecks = (listId: string): RawBuilder<number> => sql<number>`(
  select coalesce(sum(day.cost_micros), 0)::bigint
  from app.ledger_days as day join app.runs as run on run.id = day.run_id
  where run.list_id = ${listId} and run.kind = 'compliance'
)`;
