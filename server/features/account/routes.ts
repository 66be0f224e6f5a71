import type { Hono } from 'hono';
import { deleteAccountEndpoint, exportAccountEndpoint } from '#contract/account/account.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { deleteAccount } from './delete-account.ts';
import { exportAccount } from './export-account.ts';

export function accountRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  download(app, deps, exportAccountEndpoint, (ctx) => exportAccount(ctx));
  route(app, deps, deleteAccountEndpoint, (ctx, { body }) => deleteAccount(ctx, body));
}
