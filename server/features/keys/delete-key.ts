import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { deleteKey as endpoint } from '#contract/keys.ts';
import type { Ctx } from '#server/http/context.ts';

/** Removes the caller's key; one that is gone already is fine. Runs under way go on with it, none begins without it. */
export async function deleteKey(
  { deps, user }: Ctx,
  { provider }: z.output<typeof endpoint.body>,
): Promise<DataOf<typeof endpoint>> {
  await deps.db
    .deleteFrom('app.provider_keys')
    .where('user_id', '=', user.userId)
    .where('provider', '=', provider)
    .execute();
  return { provider };
}
