import type { Hono } from 'hono';
import { enrichEmails, estimateEnrichment } from '#contract/work/enrichment.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { enrichEmails as enrich } from './enrich-emails.ts';
import { estimateEnrichment as estimate } from './estimate-enrichment.ts';

export function enrichmentRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, enrichEmails, enrich);
  route(app, deps, estimateEnrichment, (ctx, { body }) => estimate(ctx, body));
}
