import type { Hono } from 'hono';
import {
  exportCompanionEndpoint,
  mailHeadEndpoint,
  packEvidenceEndpoint,
  readHeadEndpoint,
} from '#contract/calling/evidence.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { API_LIMITS } from '#server/limits/api-limits.ts';
import { mailHead } from './mail-head.ts';
import { packEvidence } from './pack-evidence.ts';
import { readChainHead } from './read-chain-head.ts';
import { readCompanion } from './read-companion.ts';

export function evidenceRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  download(app, deps, packEvidenceEndpoint, (ctx, { body }) => packEvidence(ctx, body), API_LIMITS.packs);
  route(app, deps, readHeadEndpoint, (ctx) => readChainHead(ctx));
  route(app, deps, mailHeadEndpoint, (ctx, { body }) => mailHead(ctx, body));
  route(app, deps, exportCompanionEndpoint, (ctx, { query }) => readCompanion(ctx, query.exportId));
}
