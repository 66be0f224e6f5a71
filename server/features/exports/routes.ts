import type { Hono } from 'hono';
import { downloadAgainEndpoint } from '#contract/work/exports/download-again.ts';
import {
  exportAttributionEndpoint,
  exportLeadsEndpoint,
  previewExportEndpoint,
} from '#contract/work/exports/exports.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { exportAttribution } from './attribution.ts';
import { downloadAgain } from './download-again.ts';
import { exportLeads } from './export-leads.ts';
import { previewExport } from './preview-export.ts';

export function exportsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  download(app, deps, exportLeadsEndpoint, exportLeads);
  download(app, deps, exportAttributionEndpoint, exportAttribution);
  route(app, deps, previewExportEndpoint, previewExport);
  route(app, deps, downloadAgainEndpoint, (ctx, { body }) => downloadAgain(ctx, body));
}
