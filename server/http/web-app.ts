import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { HttpEnv } from './http-env.ts';

/** The built page, or nothing before the first build. */
export function readPage(folder: string): string {
  const file = join(folder, 'index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Serves the built browser app: hashed files for good, the page itself for every other path. */
export function webApp(folder: string, page: string): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(
    '/assets/*',
    serveStatic({
      root: folder,
      precompressed: true,
      onFound: (_path, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  );
  app.get('/assets/*', (c) => c.text('Not found', 404));
  app.get('*', serveStatic({ root: folder, rewriteRequestPath: (path) => (path === '/' ? '/-' : path) }));
  app.get('*', (c) => {
    c.header('Cache-Control', 'no-cache');
    return page ? c.html(page) : c.text('The browser app has not been built. Run: npm start', 503);
  });
  return app;
}
