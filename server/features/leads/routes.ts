import type { Hono } from 'hono';
import { getProvenance } from '#contract/work/provenance.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { getProvenance as get } from './get-provenance.ts';

export function leadsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, getProvenance, (ctx, { query }) => get(ctx, query));
}
