import type { Hono } from 'hono';
import { listImportsEndpoint, removeSourceEndpoint, startImportEndpoint } from '#contract/admin/open-data.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { listImports } from './list-imports.ts';
import { removeSource } from './remove-source.ts';
import { startImport } from './start-import.ts';

export function openDataRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listImportsEndpoint, (ctx) => listImports(ctx));
  route(app, deps, startImportEndpoint, startImport);
  route(app, deps, removeSourceEndpoint, removeSource);
}
