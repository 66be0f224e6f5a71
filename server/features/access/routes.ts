import type { Hono } from 'hono';
import { precheck } from '#contract/access/precheck.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { publicRoute } from '#server/http/route.ts';
import { precheckAccess } from './precheck-access.ts';

export function accessRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  publicRoute(app, deps, precheck, (ctx, { body }) => precheckAccess(ctx, body));
}
