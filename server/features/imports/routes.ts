import type { Hono } from 'hono';
import {
  cancelImportEndpoint,
  checkImportEndpoint,
  getImportEndpoint,
  importErrorsEndpoint,
  keepImportEndpoint,
  listImportsEndpoint,
  startImportEndpoint,
  undoImportEndpoint,
  uploadImportEndpoint,
} from '#contract/imports/imports.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { cancelImport } from './cancel-import.ts';
import { checkImport } from './check-import.ts';
import { exportErrors } from './export-errors.ts';
import { keepImport } from './keep-import.ts';
import { takeUpload } from './open/take-upload.ts';
import { getImport, listImports } from './read-imports.ts';
import { startImport } from './start-import.ts';
import { undoImport } from './undo-import.ts';
import { uploadImport } from './upload-import.ts';

export function importsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, uploadImportEndpoint, (ctx, { query: { name } }, c) =>
    takeUpload(c, (upload) => uploadImport(ctx, { ...upload, name })),
  );
  route(app, deps, listImportsEndpoint, (ctx) => listImports(ctx));
  route(app, deps, getImportEndpoint, getImport);
  route(app, deps, checkImportEndpoint, checkImport);
  route(app, deps, startImportEndpoint, async (ctx, input, c) => {
    const started = await startImport(ctx, input);
    c.status(202);
    return started;
  });
  route(app, deps, cancelImportEndpoint, cancelImport);
  route(app, deps, undoImportEndpoint, undoImport);
  route(app, deps, keepImportEndpoint, keepImport);
  download(app, deps, importErrorsEndpoint, exportErrors);
}
