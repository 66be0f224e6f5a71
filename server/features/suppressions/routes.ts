import type { Hono } from 'hono';
import { askToStopEndpoint, confirmStopEndpoint, readStopPageEndpoint } from '#contract/calling/stop-page.ts';
import {
  decideStopRequestEndpoint,
  eraseContactEndpoint,
  pullCrmEndpoint,
  saveSuppressionSettingsEndpoint,
  suppressionSourcesEndpoint,
} from '#contract/calling/suppression-sources.ts';
import {
  addSuppressionEndpoint,
  importSuppressionFileEndpoint,
  importSuppressionsEndpoint,
  listSuppressionsEndpoint,
  removeSuppressionEndpoint,
} from '#contract/calling/suppressions.ts';
import type { Deps } from '#server/deps.ts';
import { takeUpload } from '#server/features/imports/open/take-upload.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { publicRoute, route } from '#server/http/route.ts';
import { addSuppression } from './add-suppression.ts';
import { askForPull } from './crm/ask-for-pull.ts';
import { eraseContact } from './erase-contact.ts';
import { createFileTurns } from './file/file-turns.ts';
import { importSuppressionFile, importSuppressions } from './file/import-suppressions.ts';
import { listSuppressions } from './list-suppressions.ts';
import { readSources } from './read-sources.ts';
import { removeSuppression } from './remove-suppression.ts';
import { saveSettings } from './save-settings.ts';
import { askToStop } from './stop/ask-to-stop.ts';
import { confirmStop } from './stop/confirm-stop.ts';
import { decideRequest } from './stop/decide-request.ts';
import { readStopPage } from './stop/read-stop-page.ts';

export function suppressionsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  const oneAtATime = createFileTurns();
  route(app, deps, listSuppressionsEndpoint, (ctx, { query }) => listSuppressions(ctx, query));
  route(app, deps, addSuppressionEndpoint, (ctx, { body }) => addSuppression(ctx, body));
  route(app, deps, importSuppressionsEndpoint, (ctx, { body }) => importSuppressions(ctx, body));
  route(app, deps, importSuppressionFileEndpoint, (ctx, _input, c) =>
    oneAtATime(ctx.user.userId, () => takeUpload(c, (upload) => importSuppressionFile(ctx, upload))),
  );
  route(app, deps, removeSuppressionEndpoint, removeSuppression);
  route(app, deps, suppressionSourcesEndpoint, readSources);
  route(app, deps, saveSuppressionSettingsEndpoint, (ctx, { body }) => saveSettings(ctx, body));
  route(app, deps, pullCrmEndpoint, askForPull);
  route(app, deps, decideStopRequestEndpoint, decideRequest);
  route(app, deps, eraseContactEndpoint, (ctx, { body }) => eraseContact(ctx, body));
  publicRoute(app, deps, readStopPageEndpoint, readStopPage);
  publicRoute(app, deps, askToStopEndpoint, (ctx, { body }) => askToStop(ctx, body));
  publicRoute(app, deps, confirmStopEndpoint, (ctx, { body }) => confirmStop(ctx, body));
}
