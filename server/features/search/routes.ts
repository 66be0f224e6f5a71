import type { Hono } from 'hono';
import { countSearchEndpoint, lookUpPlaceEndpoint, searchLeadsEndpoint } from '#contract/work/search.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { countSearch } from './count-search.ts';
import { lookUpPlace } from './look-up-place.ts';
import { searchLeads } from './search-leads.ts';

export function searchRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, searchLeadsEndpoint, searchLeads);
  route(app, deps, countSearchEndpoint, (ctx, { body }) => countSearch(ctx, body));
  route(app, deps, lookUpPlaceEndpoint, lookUpPlace);
}
