import type { Hono } from 'hono';
import { countSearch, lookUpPlace, searchLeads } from '#contract/work/search.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { countSearch as count } from './count-search.ts';
import { lookUpPlace as lookUp } from './look-up-place.ts';
import { searchLeads as search } from './search-leads.ts';

export function searchRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, searchLeads, search);
  route(app, deps, countSearch, (ctx, { body }) => count(ctx, body));
  route(app, deps, lookUpPlace, lookUp);
}
