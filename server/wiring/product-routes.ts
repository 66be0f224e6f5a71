import type { Hono } from 'hono';
import { startCrmOauthEndpoint } from '#contract/admin/crm.ts';
import { createTurns } from '#db/turns/turns.ts';
import type { Deps } from '#server/deps.ts';
import { accessRoutes } from '#server/features/access/routes.ts';
import { accountRoutes } from '#server/features/account/routes.ts';
import { apiKeysRoutes } from '#server/features/api-keys/routes.ts';
import { auditRoutes } from '#server/features/audit/routes.ts';
import { budgetsRoutes } from '#server/features/budgets/routes.ts';
import { judgeForSheet } from '#server/features/calling/judge-for-sheet.ts';
import { callingRoutes } from '#server/features/calling/routes.ts';
import { callsRoutes } from '#server/features/calls/routes.ts';
import { complianceRoutes } from '#server/features/compliance/routes.ts';
import { crmRoutes } from '#server/features/crm/routes.ts';
import { enrichmentRoutes } from '#server/features/enrichment/routes.ts';
import { evidenceRoutes } from '#server/features/evidence/routes.ts';
import { exportsRoutes } from '#server/features/exports/routes.ts';
import { hooksRoutes } from '#server/features/hooks/routes.ts';
import { importsRoutes } from '#server/features/imports/routes.ts';
import { leadsRoutes } from '#server/features/leads/routes.ts';
import { listsRoutes } from '#server/features/lists/routes.ts';
import { openDataRoutes } from '#server/features/open-data/routes.ts';
import { retentionRoutes } from '#server/features/retention/routes.ts';
import { runsRoutes } from '#server/features/runs/routes.ts';
import { searchRoutes } from '#server/features/search/routes.ts';
import { secondStepRoutes } from '#server/features/second-step/routes.ts';
import { sessionsRoutes } from '#server/features/sessions/routes.ts';
import { suppressIfFoundLater } from '#server/features/suppressions/refusals/suppress-found-later.ts';
import { suppressionsRoutes } from '#server/features/suppressions/routes.ts';
import { suppressAfterCall } from '#server/features/suppressions/suppress-after-call.ts';
import { trainingRoutes } from '#server/features/training/routes.ts';
import { usageRoutes } from '#server/features/usage/routes.ts';
import { usersRoutes } from '#server/features/users/routes.ts';
import { compressAnswers } from '#server/http/compress-answers.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { PRODUCT_TURNS, personTurns } from '#server/http/person-turns.ts';

const FEATURES = [
  accessRoutes,
  accountRoutes,
  auditRoutes,
  budgetsRoutes,
  callingRoutes,
  callsRoutes({ judge: judgeForSheet, suppress: suppressAfterCall, suppressFound: suppressIfFoundLater }),
  complianceRoutes,
  crmRoutes,
  enrichmentRoutes,
  evidenceRoutes,
  exportsRoutes,
  hooksRoutes,
  importsRoutes,
  apiKeysRoutes,
  leadsRoutes,
  listsRoutes,
  openDataRoutes,
  retentionRoutes,
  runsRoutes,
  searchRoutes,
  secondStepRoutes,
  sessionsRoutes,
  suppressionsRoutes,
  trainingRoutes,
  usageRoutes,
  usersRoutes,
];

/** All calls of the product API. */
export function productRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  // Reads only: tokens are handed out by writes, but for the state of a sign-in at the CRM. docs/security.md says why.
  app.use('/api/*', (c, next) => {
    const isCompressed = c.req.method === 'GET' && c.req.path !== startCrmOauthEndpoint.path;
    return isCompressed ? compressAnswers(c, next) : next();
  });
  app.use('/api/*', personTurns(createTurns(PRODUCT_TURNS)));
  for (const routes of FEATURES) routes(app, deps);
}
