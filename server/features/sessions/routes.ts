import type { Hono } from 'hono';
import { getSessionEndsEndpoint, setSessionEndsEndpoint } from '#contract/access/session-ends.ts';
import { carryOverSessionEndpoint, endSessionEndpoint, listSessionsEndpoint } from '#contract/access/sessions.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { publicRoute, route } from '#server/http/route.ts';
import { carryOver } from './carry-over.ts';
import { endSession } from './end-session.ts';
import { listSessions } from './list-sessions.ts';
import { getEnds, setEnds } from './session-ends.ts';

export function sessionsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listSessionsEndpoint, (ctx) => listSessions(ctx));
  route(app, deps, endSessionEndpoint, (ctx, { body }) => endSession(ctx, body));
  route(app, deps, getSessionEndsEndpoint, (ctx) => getEnds(ctx));
  route(app, deps, setSessionEndsEndpoint, (ctx, { body }) => setEnds(ctx, body));
  publicRoute(app, deps, carryOverSessionEndpoint, (ctx, { body }) => carryOver(ctx, body));
}
