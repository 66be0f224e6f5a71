import type { Hono } from 'hono';
import { deleteAccount, exportAccount } from '#contract/account/account.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { deleteAccount as remove } from './delete-account.ts';
import { exportAccount as exportData } from './export-account.ts';

export function accountRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  download(app, deps, exportAccount, (ctx) => exportData(ctx));
  route(app, deps, deleteAccount, (ctx, { body }) => remove(ctx, body));
}
