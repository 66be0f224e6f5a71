import type { Hono } from 'hono';
import {
  dismissNoticeEndpoint,
  readBudgetsEndpoint,
  readUserBudgetsEndpoint,
  setBudgetsEndpoint,
  setUserBudgetsEndpoint,
} from '#contract/money/budgets.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { budgetsOf } from './budgets-of.ts';
import { dismissNotice } from './dismiss-notice.ts';
import { readUserBudgets } from './read-user-budgets.ts';
import { setBudgets } from './set-budgets.ts';
import { setUserBudgets } from './set-user-budgets.ts';

export function budgetsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, readBudgetsEndpoint, ({ user }) => budgetsOf(deps.db, user.userId));
  route(app, deps, setBudgetsEndpoint, (ctx, { body }) => setBudgets(ctx, body));
  route(app, deps, dismissNoticeEndpoint, (ctx, { body }) => dismissNotice(ctx, body));
  route(app, deps, readUserBudgetsEndpoint, (ctx, { query }) => readUserBudgets(ctx, query.user_id));
  route(app, deps, setUserBudgetsEndpoint, (ctx, { query, body }) => setUserBudgets(ctx, query.user_id, body));
}
