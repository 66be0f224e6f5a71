import type { Hono } from 'hono';
import { readListPageEndpoint } from '#contract/work/list-page.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { sendInside } from '#server/http/send-inside.ts';
import { duplicateList } from './duplicate-list.ts';
import { readListPage } from './read-list-page.ts';

export function listsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, duplicateListEndpoint, (ctx, { body }) => duplicateList(ctx, body));
  route(app, deps, readListPageEndpoint, (ctx, { query }, c) => readListPage(ctx, query, sendInside(app, c)));
}
