import type { Hono } from 'hono';
import { precheck } from '#contract/auth.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { publicRoute } from '#server/http/route.ts';
import { createGate } from './gate.ts';
import { precheckAccess } from './precheck-access.ts';

export function accessRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  const { adminEmails, smtpUrl } = deps.env;
  const gate = createGate({ db: deps.db, adminEmails, smtpConfigured: smtpUrl !== undefined });
  publicRoute(app, deps, precheck, (ctx, { body }) => precheckAccess(ctx, gate, body));
}
