import type { Hono } from 'hono';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { createReadiness } from './readiness.ts';

/** /healthz: this process answers. /readyz: it reaches database and queue. */
export function healthRoutes(app: Hono<HttpEnv>, deps: Pick<Deps, 'db' | 'queue'>): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  const readiness = createReadiness(deps);
  app.get('/readyz', async (c) => {
    const parts = await readiness();
    const ready = parts.database && parts.queue;
    return c.json({ status: ready ? 'ready' : 'unavailable', ...parts }, ready ? 200 : 503);
  });
}
