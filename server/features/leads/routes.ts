import type { Hono } from 'hono';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { listLeadsEndpoint } from '#contract/work/leads-of-list.ts';
import { copyLeadsEndpoint, deleteLeadsEndpoint } from '#contract/work/move-leads.ts';
import { leadOriginsEndpoint } from '#contract/work/open-origins.ts';
import { getProvenanceEndpoint } from '#contract/work/provenance.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { copyLeadsTo } from './copy-leads-to.ts';
import { countLeads } from './count-leads.ts';
import { deleteLeads } from './delete-leads.ts';
import { getProvenance } from './get-provenance.ts';
import { listLeads } from './list-leads.ts';
import { readLeadOrigins } from './read-lead-origins.ts';

export function leadsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, getProvenanceEndpoint, (ctx, { query }) => getProvenance(ctx, query));
  route(app, deps, listLeadsEndpoint, (ctx, { query }) => listLeads(ctx, query));
  route(app, deps, leadOriginsEndpoint, (ctx, { query }) => readLeadOrigins(ctx, query));
  route(app, deps, copyLeadsEndpoint, copyLeadsTo);
  route(app, deps, deleteLeadsEndpoint, deleteLeads);
  route(app, deps, countLeadsEndpoint, (ctx, input) => countLeads(ctx, input));
}
