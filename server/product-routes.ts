import type { Hono } from 'hono';
import { startCrmOauth } from '#contract/crm.ts';
import { createTurns } from '#db/turns/turns.ts';
import type { Deps } from './deps.ts';
import { accessRoutes } from './features/access/routes.ts';
import { accountRoutes } from './features/account/routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { budgetsRoutes } from './features/budgets/routes.ts';
import { complianceRoutes } from './features/compliance/routes.ts';
import { crmRoutes } from './features/crm/routes.ts';
import { enrichmentRoutes } from './features/enrichment/routes.ts';
import { hooksRoutes } from './features/hooks/routes.ts';
import { keysRoutes } from './features/keys/routes.ts';
import { leadsRoutes } from './features/leads/routes.ts';
import { listsRoutes } from './features/lists/routes.ts';
import { retentionRoutes } from './features/retention/routes.ts';
import { runsRoutes } from './features/runs/routes.ts';
import { searchRoutes } from './features/search/routes.ts';
import { secondStepRoutes } from './features/second-step/routes.ts';
import { sessionsRoutes } from './features/sessions/routes.ts';
import { trainingRoutes } from './features/training/routes.ts';
import { usageRoutes } from './features/usage/routes.ts';
import { usersRoutes } from './features/users/routes.ts';
import { compressAnswers } from './http/compress-answers.ts';
import type { HttpEnv } from './http/http-env.ts';
import { PRODUCT_TURNS, personTurns } from './limits/person-turns.ts';

const FEATURES = [
  accessRoutes,
  accountRoutes,
  auditRoutes,
  budgetsRoutes,
  complianceRoutes,
  crmRoutes,
  enrichmentRoutes,
  hooksRoutes,
  keysRoutes,
  leadsRoutes,
  listsRoutes,
  retentionRoutes,
  runsRoutes,
  searchRoutes,
  secondStepRoutes,
  sessionsRoutes,
  trainingRoutes,
  usageRoutes,
  usersRoutes,
];

/** All calls of the product API. */
export function productRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  // Reads only: tokens are handed out by writes, but for the state of a sign-in at the CRM. docs/security.md says why.
  app.use('/api/*', (c, next) => {
    const isCompressed = c.req.method === 'GET' && c.req.path !== startCrmOauth.path;
    return isCompressed ? compressAnswers(c, next) : next();
  });
  app.use('/api/*', personTurns(createTurns(PRODUCT_TURNS)));
  for (const routes of FEATURES) routes(app, deps);
}
