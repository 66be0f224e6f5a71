import { sql } from 'kysely';
import type { removeSourceEndpoint } from '#contract/admin/open-data.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { AppError } from '#server/lib/app-error.ts';
import { IMPORT_LOCK, LOCKED } from '#server/open-data/load/load-places.ts';
import { sourceName } from '#server/open-data/sources.ts';

/**
 * Takes the places of a source away.
 * @throws NOT_FOUND when nothing of it is loaded.
 * @throws CONFLICT while places are loaded or removed.
 */
export async function removeSource(
  ctx: Ctx,
  { query: { source } }: Input<typeof removeSourceEndpoint>,
): Promise<DataOf<typeof removeSourceEndpoint>> {
  return ctx.deps.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${IMPORT_LOCK}) as mine`.execute(tx);
    if (!rows[0]?.mine) throw new AppError('CONFLICT', LOCKED);
    const own = await tx.deleteFrom('app.open_places').where('source', '=', source).executeTakeFirst();
    const apart = await tx.deleteFrom('app.open_street_map_places').where('source', '=', source).executeTakeFirst();
    const { numUpdatedRows } = await tx
      .updateTable('app.open_releases')
      .set({ removed_at: sql`now()` })
      .where('source', '=', source)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('NOT_FOUND', `Nothing is loaded of ${sourceName(source)}.`);
    const removed = Number(own.numDeletedRows + apart.numDeletedRows);
    await writeAudit(tx, ctx, {
      action: 'open_data.removed',
      target: sourceName(source),
      details: { places: removed },
    });
    return { removed };
  });
}
