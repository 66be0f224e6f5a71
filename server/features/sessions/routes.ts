import type { Hono } from 'hono';
import { getSessionEnds, setSessionEnds } from '#contract/access/session-ends.ts';
import { carryOverSession, endSession, listSessions } from '#contract/access/sessions.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { publicRoute, route } from '#server/http/route.ts';
import { carryOver } from './carry-over.ts';
import { endSession as end } from './end-session.ts';
import { listSessions as list } from './list-sessions.ts';
import { getEnds, setEnds } from './session-ends.ts';

export function sessionsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listSessions, (ctx) => list(ctx));
  route(app, deps, endSession, (ctx, { body }) => end(ctx, body));
  route(app, deps, getSessionEnds, (ctx) => getEnds(ctx));
  route(app, deps, setSessionEnds, (ctx, { body }) => setEnds(ctx, body));
  publicRoute(app, deps, carryOverSession, (ctx, { body }) => carryOver(ctx, body));
}
