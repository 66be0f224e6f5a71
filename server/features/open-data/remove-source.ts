import { sql } from 'kysely';
import type { removeSourceEndpoint } from '#contract/admin/open-data.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { AppError } from '#server/lib/app-error.ts';
import { IMPORT_LOCK } from '#server/open-data/load/load-places.ts';
import { sourceName } from '#server/open-data/sources.ts';

/**
 * Takes the places of a source away.
 * @throws CONFLICT while an import is under way.
 */
export async function removeSource(
  ctx: Ctx,
  { query: { source } }: Input<typeof removeSourceEndpoint>,
): Promise<DataOf<typeof removeSourceEndpoint>> {
  return ctx.deps.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${IMPORT_LOCK}) as mine`.execute(tx);
    if (!rows[0]?.mine) throw new AppError('CONFLICT', 'An import is under way. Remove the source when it has ended.');
    const own = await tx.deleteFrom('app.open_places').where('source', '=', source).executeTakeFirst();
    const apart = await tx.deleteFrom('app.open_street_map_places').where('source', '=', source).executeTakeFirst();
    await sql`update app.open_releases set removed_at = now() where source = ${source} and removed_at is null`.execute(
      tx,
    );
    const removed = Number(own.numDeletedRows + apart.numDeletedRows);
    if (removed > 0)
      await writeAudit(tx, ctx, {
        action: 'open_data.removed',
        target: sourceName(source),
        details: { places: removed },
      });
    return { removed };
  });
}
