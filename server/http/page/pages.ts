import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { AppConfig } from '#contract/config.ts';
import { encoded, type StoredBody } from './stored-body.ts';

/** The built page, or nothing before the first build. */
export function readPage(folder: string): string {
  const file = join(folder, 'index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Finds the page for a path, with what a client has to know. */
export type PageFor = (path: string, config: AppConfig) => StoredBody;

/**
 * Returns the page for each route, with links to its scripts and with the configuration, so that the browser need not find one
 * behind the other. The build has written which scripts to `.vite/routes.json`. Configurations differ in the backend's address
 * alone, of which there are a few: their pages are kept.
 */
export function pagesByRoute(folder: string, page: string): PageFor {
  const routes = Object.entries(readRoutes(folder)).map(([pattern, scripts]) => ({
    matches: matcherOf(pattern),
    html: withScripts(page, scripts),
  }));
  const bodies = new Map<string, StoredBody>();
  return (path, config) => {
    const html = routes.find(({ matches }) => matches.test(path))?.html ?? page;
    const whole = withConfig(html, config);
    const body = bodies.get(whole) ?? bodyOf(whole);
    bodies.set(whole, body);
    return body;
  };
}

/** In place of the link that fetches it. Data, not a script: nothing of it runs. */
function withConfig(html: string, config: AppConfig): string {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return html.replace(CONFIG_LINK, () => `<script type="application/json" id="config">${json}</script>`);
}

const CONFIG_LINK = /<link rel="preload" href="\/config\.json"[^>]*>/;

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
