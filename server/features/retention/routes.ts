import type { Hono } from 'hono';
import { sweepRetentionEndpoint } from '#contract/work/retention.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { sweepRetention } from './sweep-retention.ts';

export function retentionRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, sweepRetentionEndpoint, (ctx) => sweepRetention(ctx));
}
