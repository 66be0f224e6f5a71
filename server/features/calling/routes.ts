import type { Hono } from 'hono';
import {
  checkCallabilityEndpoint,
  leadCallabilityEndpoint,
  leadVerdictsEndpoint,
  listCallabilityEndpoint,
} from '#contract/calling/callability.ts';
import {
  addCallingRuleEndpoint,
  endCallingRuleEndpoint,
  readCallingRulesEndpoint,
  setCallScopeEndpoint,
} from '#contract/calling/rules.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { addRule } from './add-rule.ts';
import { checkLead } from './check-lead.ts';
import { checkLeads } from './check-leads.ts';
import { checkList } from './check-list.ts';
import { checkNumber } from './check-number.ts';
import { endRule } from './end-rule.ts';
import { readRules } from './read-rules.ts';
import { setScope } from './set-scope.ts';

export function callingRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, checkCallabilityEndpoint, (ctx, { body }) => checkNumber(ctx, body));
  route(app, deps, leadCallabilityEndpoint, (ctx, { query }) => checkLead(ctx, query));
  route(app, deps, leadVerdictsEndpoint, (ctx, { query }) => checkLeads(ctx, query));
  route(app, deps, readCallingRulesEndpoint, readRules);
  route(app, deps, setCallScopeEndpoint, (ctx, { body }) => setScope(ctx, body));
  route(app, deps, addCallingRuleEndpoint, (ctx, { body }) => addRule(ctx, body));
  route(app, deps, endCallingRuleEndpoint, endRule);
  route(app, deps, listCallabilityEndpoint, (ctx, { query }) => checkList(ctx, query));
}
