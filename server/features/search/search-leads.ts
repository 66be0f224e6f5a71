import type { DataOf } from '#contract/endpoint.ts';
import type { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { readAtEnd } from '#server/runs/run-to-end.ts';
import { startRun } from '#server/runs/start/start-run.ts';
import { readLeads } from './lead-rows.ts';
import { priceSearch } from './price-search.ts';
import { inputOf } from './search-input.ts';

/**
 * Searches for a list, or joins the search that is under way, and returns all its leads.
 * @throws what startRun and readAtEnd throw.
 */
export async function searchLeads(
  ctx: Ctx,
  { body, query }: Input<typeof searchLeadsEndpoint>,
): Promise<DataOf<typeof searchLeadsEndpoint>> {
  const about = { kind: 'search', listId: body.list_id } as const;
  const input = inputOf(body);
  const start = () =>
    startRun(ctx, {
      ...about,
      provider: 'google_places',
      input,
      maxCost: body.max_cost,
      quotedSandbox: body.sandbox,
      estimateMicros: async (tx, _list, sandbox) =>
        (await priceSearch(tx, { userId: ctx.user.userId, sandbox }, input)).boundMicros,
    });
  const readFound = () => readLeads(ctx.deps.db, body.list_id);
  return { leads: await readAtEnd(ctx, { ...about, begun: query.run }, start, readFound) };
}
