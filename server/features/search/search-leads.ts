import type { DataOf } from '#contract/endpoint.ts';
import type { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { runToEnd } from '#server/runs/run-to-end.ts';
import { startRun } from '#server/runs/start/start-run.ts';
import { readLeads } from './lead-rows.ts';
import { priceSearch } from './price-search.ts';
import { inputOf } from './search-input.ts';

/**
 * Searches for a list, or joins the search that is under way, and returns all its leads.
 * @throws what startRun and runToEnd throw.
 */
export async function searchLeads(
  ctx: Ctx,
  { body, query }: Input<typeof searchLeadsEndpoint>,
): Promise<DataOf<typeof searchLeadsEndpoint>> {
  const about = { kind: 'search', listId: body.list_id } as const;
  const input = inputOf(body);
  await runToEnd(ctx, { ...about, begun: query.run }, () =>
    startRun(ctx, {
      ...about,
      provider: 'google_places',
      input,
      maxCost: body.max_cost,
      quotedSandbox: body.sandbox,
      estimateMicros: async (tx, _list, sandbox) =>
        (await priceSearch(tx, { userId: ctx.user.userId, sandbox }, input)).boundMicros,
    }),
  );
  return { leads: await readLeads(ctx.deps.db, body.list_id) };
}
