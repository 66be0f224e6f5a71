import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { searchLeads as endpoint } from '#contract/search.ts';
import type { Ctx } from '#server/http/context.ts';
import { awaitRun } from '#server/runs/await-run.ts';
import { startRun } from '#server/runs/start-run.ts';
import { readLeads } from './lead-rows.ts';
import { priceSearch } from './price-search.ts';
import { inputOf } from './search-input.ts';

/** Searches for a list, or joins the search that is under way, and answers all its leads. Throws what startRun and awaitRun throw. */
export async function searchLeads(ctx: Ctx, body: z.output<typeof endpoint.body>): Promise<DataOf<typeof endpoint>> {
  const input = inputOf(body);
  const runId = await startRun(ctx, {
    kind: 'search',
    listId: body.list_id,
    provider: 'google_places',
    input,
    maxCost: body.max_cost,
    estimateMicros: async (tx, _list, sandbox) =>
      (await priceSearch(tx, { userId: ctx.user.userId, sandbox }, input)).boundMicros,
  });
  await awaitRun(ctx.deps, runId, ctx.signal);
  return { leads: await readLeads(ctx.deps.db, body.list_id) };
}
