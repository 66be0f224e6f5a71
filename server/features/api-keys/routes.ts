import type { Hono } from 'hono';
import { deleteKey, listKeys, testKey } from '#contract/account/api-keys.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { deleteKey as remove } from './delete-key.ts';
import { listKeys as list } from './list-keys.ts';
import { testKey as check } from './test-key.ts';

export function apiKeysRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listKeys, (ctx) => list(ctx));
  route(app, deps, testKey, (ctx, { body }) => check(ctx, body));
  route(app, deps, deleteKey, (ctx, { body }) => remove(ctx, body));
}
