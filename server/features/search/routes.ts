import type { Hono } from 'hono';
import { listSourcesEndpoint } from '#contract/work/open-data.ts';
import { countSearchEndpoint, lookUpPlaceEndpoint, searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { isForOpen, searchOpenEndpoint } from '#contract/work/search/search-open.ts';
import { countAreaEndpoint, isForAll, searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import type { Deps } from '#server/deps.ts';
import { countArea } from '#server/features/search/survey/count-area.ts';
import type { Ctx } from '#server/http/context.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { type Handler, meantBy, route, routeByBody } from '#server/http/route.ts';
import { searchArea } from './all/search-area.ts';
import { countSearch } from './count-search.ts';
import { listSources } from './open/list-sources.ts';
import { searchOpen } from './open/search-open.ts';
import { lookUpPlace } from './place/look-up-place.ts';
import { searchLeads } from './search-leads.ts';
import { surveyRoutes } from './survey/routes.ts';

export function searchRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  routeByBody(
    app,
    deps,
    [
      meantBy(isForOpen, { endpoint: searchOpenEndpoint, handler: searchOpen }),
      meantBy(isForAll, { endpoint: searchAreaEndpoint, handler: searchAreaAtOnce }),
    ],
    { endpoint: searchLeadsEndpoint, handler: searchLeads },
  );
  routeByBody(
    app,
    deps,
    [meantBy(isForAll, { endpoint: countAreaEndpoint, handler: (ctx, { body }) => countArea(ctx, body) })],
    { endpoint: countSearchEndpoint, handler: (ctx, { body }) => countSearch(ctx, body) },
  );
  route(app, deps, lookUpPlaceEndpoint, lookUpPlace);
  route(app, deps, listSourcesEndpoint, (ctx) => listSources(ctx));
  surveyRoutes(app, deps);
}

const searchAreaAtOnce: Handler<typeof searchAreaEndpoint, Ctx> = async (ctx, { body }, c) => {
  const started = await searchArea(ctx, body);
  c.status(202);
  return started;
};
