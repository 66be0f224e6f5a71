import type { DataOf } from '#contract/endpoint.ts';
import type { lookUpPlaceEndpoint } from '#contract/work/search/search.ts';
import { locateOperation } from '#server/features/search/search-operations.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { runToEnd } from '#server/runs/run-to-end.ts';
import { startRunOfNoList } from '#server/runs/start/start-run-of-no-list.ts';
import { findPlace } from './find-place.ts';
import { unknownPlace } from './unknown-place.ts';

/**
 * Finds out where a location is: by a paid call, unless it is known or such a call is under way.
 * @throws UNKNOWN_PLACE
 * @throws what startRunOfNoList and runToEnd throw.
 */
export async function lookUpPlace(
  ctx: Ctx,
  { body: { location, sandbox: quotedSandbox }, query }: Input<typeof lookUpPlaceEndpoint>,
): Promise<DataOf<typeof lookUpPlaceEndpoint>> {
  const { db } = ctx.deps;
  const { userId } = ctx.user;
  const run = await runToEnd(ctx, { kind: 'place', name: location, begun: query.run }, () =>
    startRunOfNoList(ctx, {
      kind: 'place',
      name: location,
      input: { location },
      quotedSandbox,
      boundMicros: async (tx, sandbox) =>
        (await findPlace(tx, { userId, sandbox }, location)) === undefined ? locateOperation.estimateMicros : 0,
    }),
  );
  const place = await findPlace(db, { userId, sandbox: run.sandbox === true }, location);
  if (!place) throw unknownPlace(location);
  return { place: place.label };
}
