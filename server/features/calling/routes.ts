import type { Hono } from 'hono';
import {
  checkCallabilityEndpoint,
  leadCallabilityEndpoint,
  listCallabilityEndpoint,
} from '#contract/calling/callability.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { checkLead } from './check-lead.ts';
import { checkList } from './check-list.ts';
import { checkNumber } from './check-number.ts';

export function callingRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, checkCallabilityEndpoint, (ctx, { body }) => checkNumber(ctx, body));
  route(app, deps, leadCallabilityEndpoint, (ctx, { query }) => checkLead(ctx, query));
  route(app, deps, listCallabilityEndpoint, (ctx, { query }) => checkList(ctx, query));
}
