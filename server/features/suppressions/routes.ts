import type { Hono } from 'hono';
import {
  addSuppressionEndpoint,
  importSuppressionsEndpoint,
  listSuppressionsEndpoint,
  removeSuppressionEndpoint,
} from '#contract/calling/suppressions.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { addSuppression } from './add-suppression.ts';
import { importSuppressions } from './import-suppressions.ts';
import { listSuppressions } from './list-suppressions.ts';
import { removeSuppression } from './remove-suppression.ts';

export function suppressionsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listSuppressionsEndpoint, (ctx, { query }) => listSuppressions(ctx, query));
  route(app, deps, addSuppressionEndpoint, (ctx, { body }) => addSuppression(ctx, body));
  route(app, deps, importSuppressionsEndpoint, (ctx, { body }) => importSuppressions(ctx, body));
  route(app, deps, removeSuppressionEndpoint, removeSuppression);
}
