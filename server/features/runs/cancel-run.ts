import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { cancelRunEndpoint } from '#contract/work/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownRun } from '#server/runs/rows.ts';

/**
 * Asks for the end of one of the caller's runs. From here on nothing more is sent for it.
 * A worker ends it, at once where it waits. One that has ended stays as it is, but goes on no other day by itself.
 * @throws NOT_FOUND
 */
export async function cancelRun(
  { deps, user }: Ctx,
  { id }: z.output<typeof cancelRunEndpoint.query>,
): Promise<DataOf<typeof cancelRunEndpoint>> {
  const run = await ownRun(deps.db, user.userId, id);
  const { rows } = await sql`
    with cancelled as (
      update app.runs set cancel_requested_at = coalesce(cancel_requested_at, now())
      where id = ${run.id} and state in ('queued', 'running')
      returning list_id
    )
    select pg_notify('run_cancelled', coalesce(list_id::text, '')) from cancelled
  `.execute(deps.db);
  if (rows.length > 0) return { cancelled: true };
  const { numAffectedRows = 0n } = await sql`
    update app.runs set resume_at = null where id = ${run.id} and resume_at is not null
  `.execute(deps.db);
  return { cancelled: numAffectedRows > 0n };
}
