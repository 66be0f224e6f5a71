import type { Hono } from 'hono';
import {
  deleteTraining,
  listTraining,
  listTrainingForEditor,
  saveTraining,
  setVideoLoading,
} from '#contract/admin/training.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { deleteTraining as remove } from './delete-training.ts';
import { listTraining as list } from './list-training.ts';
import { saveTraining as save } from './save-training.ts';
import { setVideoLoading as setLoading } from './set-video-loading.ts';

export function trainingRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listTraining, (ctx) => list(ctx));
  route(app, deps, listTrainingForEditor, (ctx) => list(ctx));
  route(app, deps, saveTraining, (ctx, { body }) => save(ctx, body));
  route(app, deps, setVideoLoading, (ctx, { body }) => setLoading(ctx, body));
  route(app, deps, deleteTraining, (ctx, { body }) => remove(ctx, body));
}
