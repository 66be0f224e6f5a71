import { Hono } from 'hono';
import type { Deps } from './deps.ts';
import { AppError } from './http/app-error.ts';
import { answerError } from './http/error-handler.ts';
import { healthRoutes } from './http/health-routes.ts';
import type { HttpEnv } from './http/http-env.ts';
import { requestLog } from './http/request-log.ts';

/** What a process with ROLE=worker answers: how it is. Its database role could not serve anybody. */
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
