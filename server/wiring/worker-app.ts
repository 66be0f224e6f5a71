import { Hono } from 'hono';
import type { Deps } from '#server/deps.ts';
import { answerError } from '#server/http/error-handler.ts';
import { healthRoutes } from '#server/http/health/health-routes.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { requestLog } from '#server/http/logs/request-log.ts';
import { AppError } from '#server/lib/app-error.ts';

/** What a process with ROLE=worker answers: how it is. Its database role could not serve anyone. */
export function createWorkerApp(deps: Pick<Deps, 'db' | 'queue' | 'log'>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(answerError);
  app.use(requestLog(deps.log));
  healthRoutes(app, deps);
  app.all('*', () => {
    throw new AppError('NOT_FOUND', 'This process only works on runs (ROLE=worker).');
  });
  return app;
}
