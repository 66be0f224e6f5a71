import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { plantedSite } from './planted-site.ts';
import { type SitePage, sitePage } from './site-pages.ts';

/** One request, as a site's owner would see it in a log. */
export type Visit = { host: string; path: string; userAgent: string; startedAt: number; endedAt: number };
export type SitesOptions = {
  /** How long every answer takes. */
  latencyMs?: number;
  onVisit?: ((visit: Visit) => void) | undefined;
  /** What stands at an address instead of what is planted there. */
  pageAt?: ((host: string, path: string) => SitePage | undefined) | undefined;
};
export type Sites = { url: string; close(): Promise<void> };

const ZEROS = Buffer.alloc(1024 * 1024);
/** What a bomb unpacks to, in MiB: far more than anyone may read. */
const BOMB_MIB = 200;

/** Serves the websites of all `.example` domains at one address of this machine, told apart by `Host`. */
export async function serveSites({ latencyMs = 0, onVisit, pageAt }: SitesOptions = {}): Promise<Sites> {
  const server = createServer((request, response) => {
    const visit = {
      host: request.headers.host ?? '',
      path: request.url ?? '/',
      userAgent: request.headers['user-agent'] ?? '',
    };
    const startedAt = performance.now();
    response.once('close', () => onVisit?.({ ...visit, startedAt, endedAt: performance.now() }));
    response.on('error', () => {});
    answer(request, response, latencyMs, pageAt).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The websites of the sandbox have no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  latencyMs: number,
  pageAt: SitesOptions['pageAt'],
): Promise<void> {
  if (latencyMs > 0) await wait(latencyMs);
  const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  const domain = /([^.]+\.example)$/.exec(host)?.[1];
  const path = new URL(request.url ?? '/', 'http://sandbox.invalid').pathname;
  const given = pageAt?.(host, path);
  if (given) return send(response, given);
  if (!domain) return send(response, { kind: 'page', status: 421, body: 'This name is not served here.' });
  return send(response, sitePage(plantedSite(domain), host, path));
}

async function send(response: ServerResponse, page: SitePage): Promise<void> {
  const html = { 'content-type': 'text/html; charset=utf-8' };
  switch (page.kind) {
    case 'page':
      response.writeHead(page.status, { ...html, ...(page.type ? { 'content-type': page.type } : {}) }).end(page.body);
      return;
    case 'redirect':
      response.writeHead(302, { location: page.to }).end();
      return;
    case 'silent':
      return;
    case 'bomb':
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(bomb(page.body));
      return;
    case 'endless':
      response.writeHead(200, html).write(page.body);
      while (!response.destroyed) {
        if (!response.write(`<p>${'and so on '.repeat(2_000)}</p>`))
          await Promise.race([new Promise((resolve) => response.once('drain', resolve)), closed(response)]);
        await wait(1);
      }
  }
}

const closed = (response: ServerResponse) => new Promise((resolve) => response.once('close', resolve));

let packed: Buffer | undefined;
/** Gzip streams one after the other are one stream to who unpacks them. */
function bomb(body: string): Buffer {
  packed ??= gzipSync(ZEROS);
  return Buffer.concat([gzipSync(body), ...Array.from({ length: BOMB_MIB }, () => packed ?? Buffer.alloc(0))]);
}
