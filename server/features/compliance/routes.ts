import type { Hono } from 'hono';
import { checkCompliance, estimateCompliance } from '#contract/work/compliance.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { checkCompliance as check } from './check-compliance.ts';
import { estimateCompliance as estimate } from './estimate-compliance.ts';

export function complianceRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, checkCompliance, check);
  route(app, deps, estimateCompliance, (ctx, { body }) => estimate(ctx, body));
}
