import { type RawBuilder, sql } from 'kysely';
import { KEPT } from '#db/connection/kept-statements.ts';
import { costOfChecks } from '#server/paid-calls/ledger/cost-of-checks.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';

/**
 * Returns a statement that writes what a list's checks have cost, once the run has ended.
 * The end of the run wrote it as well, but a later answer may cost something other than what was booked.
 */
export const storingLateCost = ({ id, listId }: ListRunContext['run']): RawBuilder<unknown> => sql`
  ${KEPT} update public.lists set compliance_cost_micros = ${costOfChecks(listId)}
  where id = ${listId} and exists (select from app.runs where id = ${id} and state not in ('queued', 'running'))`;
