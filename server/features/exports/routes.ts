import type { Hono } from 'hono';
import { exportAttributionEndpoint, exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { exportAttribution } from './attribution.ts';
import { exportLeads } from './export-leads.ts';

export function exportsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  download(app, deps, exportLeadsEndpoint, exportLeads);
  download(app, deps, exportAttributionEndpoint, exportAttribution);
}
