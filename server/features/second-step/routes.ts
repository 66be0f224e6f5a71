import type { Hono } from 'hono';
import { getSecondStepRuleEndpoint, setSecondStepRuleEndpoint } from '#contract/access/second-step.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { getRule, setRule } from './rule.ts';

export function secondStepRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, getSecondStepRuleEndpoint, (ctx) => getRule(ctx));
  route(app, deps, setSecondStepRuleEndpoint, (ctx, { body }) => setRule(ctx, body));
}
