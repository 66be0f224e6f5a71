import type { Hono } from 'hono';
import { checkComplianceEndpoint, estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { checkCompliance } from './check-compliance.ts';
import { estimateCompliance } from './estimate-compliance.ts';

export function complianceRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, checkComplianceEndpoint, checkCompliance);
  route(app, deps, estimateComplianceEndpoint, (ctx, { body }) => estimateCompliance(ctx, body));
}
