import { Hono } from 'hono';
import { TooManyAtOnce, type Turns } from '#db/turns/turns.ts';
import type { Told } from '#server/apart/told.ts';
import type { Deps } from '#server/deps.ts';
import { answerError } from '#server/http/error-handler.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { requestScope } from '#server/http/request-scope.ts';
import { AppError } from '#server/lib/app-error.ts';
import { productRoutes } from '#server/wiring/product-routes.ts';

/** The product API for callers whom another process knows. `fetch` is given what that told, as `{ told }`. */
export function createApartApp(deps: Deps, turns: Turns): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(answerError);
  app.use(async (c, next) => {
    const { requestId, user } = toldOf(c.env);
    c.set('requestId', requestId);
    c.set('log', deps.log);
    c.set('caller', user);
    await requestScope.run({ requestId, userId: user.userId }, async () => {
      const end = await turns.take(user.userId, c.req.raw.signal).catch((error: unknown) => {
        if (!(error instanceof TooManyAtOnce)) throw error;
        throw new AppError('RATE_LIMITED', error.message, { retryAfterSeconds: error.retryAfterSeconds });
      });
      await next().finally(end);
    });
  });
  productRoutes(app, { ...deps, clientIp: (c) => toldOf(c.env).ip });
  return app;
}

const toldOf = (env: unknown): Told => (env as { told: Told }).told;
