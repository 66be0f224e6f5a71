import type { Hono } from 'hono';
import { listTrainingEndpoint } from '#contract/admin/training.ts';
import {
  deleteTrainingEndpoint,
  listTrainingForEditorEndpoint,
  saveTrainingEndpoint,
  setVideoLoadingEndpoint,
} from '#contract/admin/training-editor.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { deleteTraining } from './delete-training.ts';
import { listTraining } from './list-training.ts';
import { saveTraining } from './save-training.ts';
import { setVideoLoading } from './set-video-loading.ts';

export function trainingRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listTrainingEndpoint, (ctx) => listTraining(ctx));
  route(app, deps, listTrainingForEditorEndpoint, (ctx) => listTraining(ctx));
  route(app, deps, saveTrainingEndpoint, (ctx, { body }) => saveTraining(ctx, body));
  route(app, deps, setVideoLoadingEndpoint, (ctx, { body }) => setVideoLoading(ctx, body));
  route(app, deps, deleteTrainingEndpoint, (ctx, { body }) => deleteTraining(ctx, body));
}
