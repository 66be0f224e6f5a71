import type { Hono } from 'hono';
import {
  beginCallEndpoint,
  callSheetEndpoint,
  leadCallsEndpoint,
  leaveCallSheetEndpoint,
  logCallEndpoint,
  takeBackCallEndpoint,
} from '#contract/calling/calls.ts';
import { whileAsked } from '#db/cancel/while-asked.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { beginCall } from './begin-call.ts';
import type { CallDesk } from './desk.ts';
import { leaveCallSheet } from './leave-call-sheet.ts';
import { listLeadCalls } from './list-lead-calls.ts';
import { logCall } from './log-call.ts';
import { openCallSheet } from './open-call-sheet.ts';
import { takeBackCall } from './take-back-call.ts';

export const callsRoutes =
  (desk: CallDesk) =>
  (app: Hono<HttpEnv>, deps: Deps): void => {
    route(app, deps, leadCallsEndpoint, (ctx, { query }) => listLeadCalls(ctx, query));
    route(app, deps, beginCallEndpoint, (ctx, { body }) => beginCall({ ...ctx, desk }, body));
    route(app, deps, logCallEndpoint, (ctx, { body }) => logCall({ ...ctx, desk }, body));
    route(app, deps, takeBackCallEndpoint, takeBackCall);
    route(app, deps, callSheetEndpoint, (ctx, input) =>
      whileAsked(ctx.signal, () => openCallSheet({ ...ctx, desk }, input)),
    );
    route(app, deps, leaveCallSheetEndpoint, leaveCallSheet);
  };
