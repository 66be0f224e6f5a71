import { Hono } from 'hono';
import type { AppConfig } from '#contract/config.ts';
import { limitBody } from '#db/values/limit-body.ts';
import type { Deps } from './deps.ts';
import { compressAnswers } from './http/compress-answers.ts';
import { answerError } from './http/error-handler.ts';
import { healthRoutes } from './http/health/health-routes.ts';
import type { HttpEnv } from './http/http-env.ts';
import { BODY_LIMIT_BYTES, tooLargeText } from './http/json-body.ts';
import { requestLog } from './http/logs/request-log.ts';
import { requestMetrics } from './http/logs/request-metrics.ts';
import { readPage } from './http/page/pages.ts';
import { webApp } from './http/page/web-app.ts';
import { dataHeaders, securityHeaders } from './http/security-headers.ts';
import { crawlerTxt } from './http/texts/crawler-txt.ts';
import { securityTxt } from './http/texts/security-txt.ts';
import { AppError } from './lib/app-error.ts';
import { UPLOADS } from './limits/api-limits.ts';
import { productRoutes } from './wiring/product-routes.ts';

export type AppParts = {
  deps: Deps;
  /** Answers /auth/v1 and /rest/v1; absent when hosted Supabase does. */
  backend: Hono | undefined;
  /** Answers /outbox and /outbox.json; absent where mail is really sent. */
  mailbox: Hono | undefined;
  config: Omit<AppConfig, 'backendUrl'>;
  /** Where the backend is, as the browser that opened `origin` reaches it. */
  backendUrlFor: (origin: string) => string;
  /** Folder of the built browser app. */
  webFolder: string;
};

/** Where nothing is a page, or leads to one. */
const NO_PAGE = /^\/(assets|api|rest\/v1)\/|^\/(config\.json|favicon\.(svg|ico))$/;

/** The whole HTTP surface of one process: product API, backend, mailbox and the browser app. */
export function createApp(parts: AppParts): Hono<HttpEnv> {
  const { deps, backend, mailbox } = parts;
  const page = readPage(parts.webFolder);
  const app = new Hono<HttpEnv>();
  app.onError(answerError);
  app.use(requestLog(deps.log));
  app.use(requestMetrics(deps.metrics));
  const https = deps.siteUrl.startsWith('https:');
  const connectOrigins = backend ? [] : originsOf(parts.backendUrlFor(deps.siteUrl));
  const headersOfPages = securityHeaders({ page, connectOrigins, https });
  const headersOfData = dataHeaders({ https });
  app.use((c, next) => (NO_PAGE.test(c.req.path) ? headersOfData(c, next) : headersOfPages(c, next)));
  const limitOfBody = limitBody(BODY_LIMIT_BYTES, (c) => {
    c.header('Connection', 'close');
    return answerError(new AppError('PAYLOAD_TOO_LARGE', tooLargeText(c.req.path)), c);
  });
  // Not on reads: asking whether one has a body costs more than most of them.
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '/api/*', (c, next) =>
    // They take files, and bound them themselves.
    UPLOADS.some(({ path }) => path === c.req.path) ? next() : limitOfBody(c, next),
  );

  app.use('/rest/v1/*', compressAnswers);

  healthRoutes(app, deps);
  crawlerTxt(app, { contact: parts.config.supportUrl });
  securityTxt(app, { siteUrl: deps.siteUrl, contact: parts.config.supportUrl });
  const configFor = (origin: string): AppConfig => ({ ...parts.config, backendUrl: parts.backendUrlFor(origin) });
  app.get('/config.json', (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json(configFor(new URL(c.req.url).origin));
  });

  productRoutes(app, deps);
  refuseOtherCalls(app);

  if (mailbox) app.route('/', mailbox);
  if (backend) app.route('/', backend);
  // For pages that are open since before a move to hosted Supabase: at any other refusal they would forget what is carried over.
  else app.post('/auth/v1/token', (c) => c.text('Sign-in has moved. Reload the page.', 503));
  app.route('/', webApp(parts.webFolder, page, configFor));
  return app;
}

/** What a page at another origin asks of Supabase: calls and sockets. To its own, a page may open both. */
const originsOf = (backendUrl: string): string[] => {
  const { origin } = new URL(backendUrl);
  return [origin, origin.replace(/^http/, 'ws')];
};

/** What is left under /api is an unknown path, or a known one with another method. */
function refuseOtherCalls(app: Hono<HttpEnv>): void {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of app.routes.filter((one) => one.path.startsWith('/api/') && one.path !== '/api/*'))
    methods.set(path, (methods.get(path) ?? new Set()).add(method));
  app.all('/api/*', (c) => {
    const allowed = methods.get(c.req.path);
    if (allowed) {
      c.header('Allow', [...allowed].sort().join(', '));
      throw new AppError('METHOD_NOT_ALLOWED', `${c.req.path} does not accept ${c.req.method}.`);
    }
    throw new AppError('NOT_FOUND', `There is no ${c.req.path}.`);
  });
}
