import type { Hono } from 'hono';
import { exportAuditEndpoint, listAuditEndpoint } from '#contract/admin/audit.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { exportAudit } from './export-audit.ts';
import { listAudit } from './list-audit.ts';

export function auditRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listAuditEndpoint, (ctx, { query }) => listAudit(ctx, query));
  download(app, deps, exportAuditEndpoint, (ctx, { query }) => exportAudit(ctx, query));
}
