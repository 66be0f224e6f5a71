import type { Hono } from 'hono';
import { exportAudit, listAudit } from '#contract/admin/audit.ts';
import { whileAsked } from '#db/cancel/while-asked.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { exportAudit as take } from './export-audit.ts';
import { listAudit as list } from './list-audit.ts';

export function auditRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listAudit, (ctx, { query }) => whileAsked(ctx.signal, () => list(ctx, query)));
  download(app, deps, exportAudit, (ctx, { query }) => take(ctx, query));
}
