import type { Hono } from 'hono';
import { dismissNotice, readBudgets, readUserBudgets, setBudgets, setUserBudgets } from '#contract/money/budgets.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { budgetsOf } from './budgets-of.ts';
import { dismissNotice as dismiss } from './dismiss-notice.ts';
import { readUserBudgets as readUser } from './read-user-budgets.ts';
import { setBudgets as set } from './set-budgets.ts';
import { setUserBudgets as setUser } from './set-user-budgets.ts';

export function budgetsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, readBudgets, ({ user }) => budgetsOf(deps.db, user.userId));
  route(app, deps, setBudgets, (ctx, { body }) => set(ctx, body));
  route(app, deps, dismissNotice, (ctx, { body }) => dismiss(ctx, body));
  route(app, deps, readUserBudgets, (ctx, { query }) => readUser(ctx, query.user_id));
  route(app, deps, setUserBudgets, (ctx, { query, body }) => setUser(ctx, query.user_id, body));
}
