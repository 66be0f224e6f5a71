import { type RawBuilder, sql } from 'kysely';
import { costOfChecks } from '#server/paid-calls/ledger/cost-of-checks.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';

/**
 * Returns what writes what a list's checks have cost, once the run has ended: it was written then, and an answer that comes after that may
 * cost something else than was booked.
 */
export const storingLateCost = ({ id, listId }: ListRunContext['run']): RawBuilder<unknown> => sql`
  update public.lists set compliance_cost_micros = ${costOfChecks(listId)}
  where id = ${listId} and exists (select from app.runs where id = ${id} and state not in ('queued', 'running'))`;
