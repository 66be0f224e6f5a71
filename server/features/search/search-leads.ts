import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { searchLeads as endpoint } from '#contract/search.ts';
import { prices } from '#providers/prices.ts';
import type { Ctx } from '#server/http/context.ts';
import { awaitRun } from '#server/runs/await-run.ts';
import { startRun } from '#server/runs/start-run.ts';
import { readLeads } from './lead-rows.ts';
import { pagesNeeded, type SearchInput } from './search-run.ts';

/** Searches for a list, or joins the search that is under way, and answers all its leads. Throws what startRun and awaitRun throw. */
export async function searchLeads(ctx: Ctx, body: z.output<typeof endpoint.body>): Promise<DataOf<typeof endpoint>> {
  const { query, location, maxResults } = body;
  const input: SearchInput = { query, location, radiusMetres: body.radius, maxResults };
  const runId = await startRun(ctx, {
    kind: 'search',
    listId: body.list_id,
    provider: 'google_places',
    input,
    maxCost: body.max_cost,
    estimateMicros: async () => prices.googleLocateMicros + pagesNeeded(maxResults) * prices.googleSearchPageMicros,
  });
  await awaitRun(ctx.deps, runId, ctx.signal);
  return { leads: await readLeads(ctx.deps.db, body.list_id) };
}
