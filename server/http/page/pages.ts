import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { encoded, type StoredBody } from './stored-body.ts';

/** The built page, or nothing before the first build. */
export function readPage(folder: string): string {
  const file = join(folder, 'index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Finds the page for a path. */
export type PageFor = (path: string) => StoredBody;

/**
 * Returns the page for each route, with links to its scripts, so that the browser need not find one behind the other.
 * The build has written which scripts to `.vite/routes.json`.
 */
export function pagesByRoute(folder: string, page: string): PageFor {
  const plain = bodyOf(page);
  const routes = Object.entries(readRoutes(folder)).map(([pattern, scripts]) => ({
    matches: matcherOf(pattern),
    body: bodyOf(withScripts(page, scripts)),
  }));
  return (path) => routes.find(({ matches }) => matches.test(path))?.body ?? plain;
}

function readRoutes(folder: string): Record<string, string[]> {
  const file = join(folder, '.vite', 'routes.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>) : {};
}

/** `/lists/:listId` fits /lists/7 and /lists/7/, as it does for the router. */
function matcherOf(pattern: string): RegExp {
  const path = pattern.replace(/\/$/, '').replaceAll(/:[a-zA-Z]+/g, '[^/]+');
  return new RegExp(`^${path}/?$`);
}

function withScripts(page: string, scripts: readonly string[]): string {
  const links = scripts.map((path) => `<link rel="modulepreload" crossorigin href="/${path}">\n`).join('');
  return page.replace('</head>', () => `${links}</head>`);
}

function bodyOf(html: string): StoredBody {
  return {
    type: 'text/html; charset=UTF-8',
    cacheControl: 'no-cache',
    encoded: {
      identity: encoded(Buffer.from(html)),
      br: encoded(brotliCompressSync(html)),
      gzip: encoded(gzipSync(html)),
    },
  };
}
