import { Hono } from 'hono';
import type { AppConfig } from '#contract/config.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { pagesByRoute } from './pages.ts';
import { readStaticFiles } from './static-files.ts';
import { sendStored } from './stored-body.ts';

/** Serves the built browser app: hashed files for good, the page itself for every other path. `configFor` an origin that a page was opened at. */
export function webApp(folder: string, page: string, configFor: (origin: string) => AppConfig): Hono<HttpEnv> {
  const files = readStaticFiles(folder);
  const pageFor = pagesByRoute(folder, page);
  const app = new Hono<HttpEnv>();
  app.get('*', (c) => {
    const file = files.get(c.req.path);
    if (file) return sendStored(c, file);
    if (c.req.path.startsWith('/assets/')) {
      // An older version's file, which a proxy must not remember as missing.
      c.header('Cache-Control', 'no-store');
      return c.text('Not found', 404);
    }
    if (page) return sendStored(c, pageFor(c.req.path, configFor(new URL(c.req.url).origin)));
    c.header('Cache-Control', 'no-cache');
    return c.text('The browser app has not been built. Run: npm start', 503);
  });
  return app;
}
