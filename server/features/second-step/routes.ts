import type { Hono } from 'hono';
import { getSecondStepRule, setSecondStepRule } from '#contract/access/second-step.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { getRule, setRule } from './rule.ts';

export function secondStepRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, getSecondStepRule, (ctx) => getRule(ctx));
  route(app, deps, setSecondStepRule, (ctx, { body }) => setRule(ctx, body));
}
