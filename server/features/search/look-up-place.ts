import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { lookUpPlace as endpoint } from '#contract/search.ts';
import type { Ctx } from '#server/http/context.ts';
import { awaitRun } from '#server/runs/await-run.ts';
import { startPlaceRun } from '#server/runs/start-place-run.ts';
import { findPlace } from './find-place.ts';
import { locateOperation } from './search-operations.ts';
import { unknownPlace } from './unknown-place.ts';

/**
 * Finds out where a location is: by a paid call, unless it is known or already being asked for. Throws UNKNOWN_PLACE and what
 * startPlaceRun and awaitRun throw.
 */
export async function lookUpPlace(
  ctx: Ctx,
  { location }: z.output<typeof endpoint.body>,
): Promise<DataOf<typeof endpoint>> {
  const { db } = ctx.deps;
  const { userId } = ctx.user;
  const runId = await startPlaceRun(ctx, {
    location,
    boundMicros: async (tx, sandbox) =>
      (await findPlace(tx, { userId, sandbox }, location)) === undefined ? locateOperation.estimateMicros : 0,
  });
  const { sandbox } = await awaitRun(ctx.deps, runId, ctx.signal);
  const place = await findPlace(db, { userId, sandbox }, location);
  if (!place) throw unknownPlace(location);
  return { place: place.label };
}
