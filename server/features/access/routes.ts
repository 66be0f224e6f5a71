import type { Hono } from 'hono';
import { precheckEndpoint } from '#contract/access/precheck.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { publicRoute } from '#server/http/route.ts';
import { precheckAccess } from './precheck-access.ts';

export function accessRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  publicRoute(app, deps, precheckEndpoint, (ctx, { body }) => precheckAccess(ctx, body));
}
