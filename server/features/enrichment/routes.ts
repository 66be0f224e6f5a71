import type { Hono } from 'hono';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { enrichEmails } from './enrich-emails.ts';
import { estimateEnrichment } from './estimate-enrichment.ts';

export function enrichmentRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, enrichEmailsEndpoint, enrichEmails);
  route(app, deps, estimateEnrichmentEndpoint, (ctx, { body }) => estimateEnrichment(ctx, body));
}
