import type { Hono } from 'hono';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { duplicateList } from './duplicate-list.ts';

export function listsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, duplicateListEndpoint, (ctx, { body }) => duplicateList(ctx, body));
}
