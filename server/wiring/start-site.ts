import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import { createApp } from '#server/app.ts';
import { outboxOf } from '#server/config/env.ts';
import { startExportSweep } from '#server/features/exports/start-export-sweep.ts';
import { createMailbox } from '#server/features/mailbox/mailbox.ts';
import { startResuming } from '#server/features/search/start-resuming.ts';
import type { Footing, ServingParts } from '#server/footing/footing.ts';
import type { HttpEnv } from '#server/http/http-env.ts';

const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** Starts what people and programs reach: the pages, the product API and what their footing serves. Also sweeps stored exports and goes on with surveys and searches. */
export function startSite(footing: Footing, parts: Omit<ServingParts, 'appOf'>): Hono<HttpEnv> {
  const { deps, shutdown } = parts;
  const { env, db, log } = deps;
  const { backendKey, backendUrlFor, backend, removeExports, sweepFiles } = footing.serve({
    ...parts,
    appOf: () => app,
  });
  const outboxDir = outboxOf(env);
  const app: Hono<HttpEnv> = createApp({
    deps,
    backend,
    mailbox: outboxDir ? createMailbox({ outboxDir }) : undefined,
    config: { backendKey, sandbox: env.sandbox, mailbox: outboxDir !== undefined, supportUrl: env.supportUrl },
    backendUrlFor,
    webFolder: WEB_FOLDER,
  });
  const exportSweep = startExportSweep({ ...(sweepFiles ? { sweepFiles } : {}), db, remove: removeExports, log });
  shutdown.add(() => exportSweep.stop());
  const resuming = startResuming(deps);
  shutdown.add(() => resuming.stop());
  return app;
}
