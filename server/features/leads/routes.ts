import type { Hono } from 'hono';
import { getProvenanceEndpoint } from '#contract/work/provenance.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { getProvenance } from './get-provenance.ts';

export function leadsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, getProvenanceEndpoint, (ctx, { query }) => getProvenance(ctx, query));
}
