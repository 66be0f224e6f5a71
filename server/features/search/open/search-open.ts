import { townOf } from '#area/named/towns.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { COMPLETENESS } from '#contract/work/search/completeness.ts';
import { MOST_OPEN_LEADS, OPEN_LEADS_ANSWERED, type searchOpenEndpoint } from '#contract/work/search/search-open.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { countedArea } from '#server/features/search/area/locate-area.ts';
import { type ResolvedArea, resolveArea } from '#server/features/search/area/resolve-area.ts';
import { readFirstLeads } from '#server/features/search/lead-rows.ts';
import { unknownPlace } from '#server/features/search/place/unknown-place.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { originsOfLeads } from '#server/leads/origins/open-origins.ts';
import { AppError } from '#server/lib/app-error.ts';
import { openRuns } from '#server/runs/refused/open-runs.ts';
import { lockListToWorkOn } from '#server/runs/rows.ts';
import { fillFromOpen, type OpenFill } from './fill-from-open.ts';
import { kindOfOpen } from './kind-of-open.ts';

type Body = Input<typeof searchOpenEndpoint>['body'];

/**
 * Fills a list from open data, in one transaction: no run, no key, no cost.
 * @throws NOT_FOUND, UNKNOWN_PLACE
 * @throws CONFLICT when the list is archived or at work, or nothing is loaded.
 * @throws VALIDATION_FAILED when the area is not valid.
 */
export async function searchOpen(
  { deps: { db }, user: { userId } }: Ctx,
  { body }: Input<typeof searchOpenEndpoint>,
): Promise<DataOf<typeof searchOpenEndpoint>> {
  const outcome = await db.transaction().execute(async (tx) => {
    const list = await lockListToWorkOn(tx, userId, body.list_id);
    if (list.lifecycle_status === 'archived')
      throw new AppError('CONFLICT', 'This list is archived. Restore it before you work on it.');
    if ((await openRuns(tx, list.id)).length > 0)
      throw new AppError('CONFLICT', 'A run is working on this list. Wait until it ends, then try again.');
    const filled = await fill(tx, userId, list, body).catch((error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    });
    // A list that waits for its search does not wait anymore. Nothing else was written before the refusal.
    if (filled instanceof AppError) await failNew(tx, list.id);
    return filled;
  });
  if (outcome instanceof AppError) throw outcome;
  return { ...outcome, leads: await answered(db, body.list_id) };
}

async function answered(db: Db, listId: string): Promise<DataOf<typeof searchOpenEndpoint>['leads']> {
  const leads = await readFirstLeads(db, listId, OPEN_LEADS_ANSWERED);
  const origins = await originsOfLeads(
    db,
    listId,
    leads.map(({ id }) => id),
  );
  return leads.map((lead) => ({ ...lead, open: origins.get(lead.id) ?? null }));
}

async function fill(
  tx: Tx,
  userId: string,
  list: { id: string; sandbox: boolean | null; tier2_complete: boolean; completeness: number | null },
  body: Body,
): Promise<OpenFill & { place: string }> {
  const area = await areaOf(tx, userId, body);
  const kind = await kindOfOpen(tx, { userId, listKind: list.sandbox, listId: list.id });
  const queries = body.queries ?? [body.query ?? ''];
  const most = body.maxResults === 'all' ? MOST_OPEN_LEADS : body.maxResults;
  const filled = await fillFromOpen(tx, {
    queries,
    area,
    kind,
    listId: list.id,
    userId,
    onlyNew: body.onlyNew ?? false,
    most,
  });
  await tx
    .updateTable('lists')
    .set({
      status: 'completed',
      sandbox: kind.sandbox,
      resolved_place: area.label,
      tier1_complete: true,
      completeness: list.tier2_complete ? list.completeness : COMPLETENESS.tier1,
    })
    .where('id', '=', list.id)
    .execute();
  return { ...filled, place: area.label };
}

/** Looks places up offline, without Google and its coordinates. */
async function areaOf(tx: Tx, userId: string, { area, location = '', radius = 0 }: Body): Promise<ResolvedArea> {
  if (area.kind === 'counted') return (await countedArea(tx, userId, area.survey)).area;
  if (area.kind !== 'circle') return resolveArea(area);
  if (area.center) return resolveArea({ kind: 'circle', center: area.center, meters: radius }, location || undefined);
  const town = townOf(location);
  if (!town) throw unknownPlace(location);
  return resolveArea({ kind: 'circle', center: town, meters: radius }, town.label);
}

const failNew = (tx: Tx, listId: string) =>
  tx
    .updateTable('lists')
    .set({ status: 'failed' })
    .where('id', '=', listId)
    .where('status', '=', 'processing')
    .where('lead_count', '=', 0)
    .execute();
