import type { Hono } from 'hono';
import { deleteKeyEndpoint, listKeysEndpoint, testKeyEndpoint } from '#contract/account/api-keys.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { deleteKey } from './delete-key.ts';
import { listKeys } from './list-keys.ts';
import { testKey } from './test-key.ts';

export function apiKeysRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listKeysEndpoint, (ctx) => listKeys(ctx));
  route(app, deps, testKeyEndpoint, (ctx, { body }) => testKey(ctx, body));
  route(app, deps, deleteKeyEndpoint, (ctx, { body }) => deleteKey(ctx, body));
}
