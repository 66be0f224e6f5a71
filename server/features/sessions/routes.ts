import type { Hono } from 'hono';
import { endSession, listSessions } from '#contract/sessions.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { endSession as end } from './end-session.ts';
import { listSessions as list } from './list-sessions.ts';

export function sessionsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listSessions, (ctx) => list(ctx));
  route(app, deps, endSession, (ctx, { body }) => end(ctx, body));
}
