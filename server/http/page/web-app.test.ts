import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { readPage } from './pages.ts';
import { webApp } from './web-app.ts';

const SCRIPT = `console.log(${JSON.stringify('a'.repeat(3000))});`;
const CONFIG = {
  backendKey: 'publishable',
  sandbox: false,
  mailbox: false,
  supportUrl: 'mailto:</script>@fairlead.example',
};
const FONT = Buffer.from('wOF2 as it is');
const folder = temporaryFolder();
let app: ReturnType<typeof webApp>;

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, '.vite'));
  const write = (name: string, bytes: string | Buffer) => writeFileSync(join(folder, name), bytes);
  write(
    'index.html',
    '<!doctype html><html><head><title>Fairlead</title>\n<link rel="preload" href="/config.json" as="fetch" crossorigin="anonymous" />\n</head><body></body></html>',
  );
  write(
    '.vite/routes.json',
    JSON.stringify({ '/login': ['assets/login-1.js'], '/lists/:listId': ['assets/list-1.js'] }),
  );
  write('assets/app-1.js', SCRIPT);
  write('assets/app-1.js.br', brotliCompressSync(SCRIPT));
  write('assets/app-1.js.gz', gzipSync(SCRIPT));
  write('assets/gzip-only.css', SCRIPT);
  write('assets/gzip-only.css.gz', gzipSync(SCRIPT));
  write('assets/inter-1.woff2', FONT);
  write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, '..', 'beside.txt'), 'not ours');
  app = webApp(folder, readPage(folder), (backendUrl) => ({ ...CONFIG, backendUrl }));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(folder, '..', 'beside.txt'), { force: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(path, { headers, method });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

describe('a hashed file', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip;q=0, *', null],
    ['BR', 'br'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity', null],
    ['identity;q=1, br;q=0.4', null],
    ['zstd, compress', null],
    ['*;q=0', null],
    ['br;q=0', null],
    ['', null],
    [';;q=,,,', null],
    ['br;q=banana', 'br'],
  ])('is sent to who accepts "%s" as %s', async (accepted, coding) => {
    const answer = await get('/assets/app-1.js', { 'accept-encoding': accepted });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-encoding')).toBe(coding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('content-type')).toMatch(/javascript/);
    const bytes = await bytesOf(answer);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    const text = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(text.toString()).toBe(SCRIPT);
  });

  test('is sent as it is to who says nothing', async () => {
    const answer = await get('/assets/app-1.js');
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(await answer.text()).toBe(SCRIPT);
  });

  test('without a Brotli file comes as gzip', async () => {
    const answer = await get('/assets/gzip-only.css', { 'accept-encoding': 'br, gzip' });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-type')).toMatch(/text\/css/);
  });

  test('that is a font is never compressed again', async () => {
    const answer = await get('/assets/inter-1.woff2', { 'accept-encoding': 'br, gzip' });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('content-type')).toBe('font/woff2');
    expect(await bytesOf(answer)).toEqual(FONT);
  });

  test('is known by its tag: each coding has its own', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (accepted) => {
        const answer = await get('/assets/app-1.js', { 'accept-encoding': accepted });
        return answer.headers.get('etag') ?? '';
      }),
    );
    expect(new Set(tags).size).toBe(3);
    const [br = ''] = tags;
    for (const known of [br, `W/${br}`, `"other", ${br}`, '*']) {
      const answer = await get('/assets/app-1.js', { 'accept-encoding': 'br', 'if-none-match': known });
      expect(answer.status).toBe(304);
      expect(answer.headers.get('etag')).toBe(br);
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(await answer.text()).toBe('');
    }
    expect((await get('/assets/app-1.js', { 'accept-encoding': 'gzip', 'if-none-match': br })).status).toBe(200);
  });

  test('has the same headers for HEAD, and no body', async () => {
    const [head, whole] = await Promise.all(
      ['HEAD', 'GET'].map((method) => get('/assets/app-1.js', { 'accept-encoding': 'br' }, method)),
    );
    expect(head?.status).toBe(200);
    expect(Object.fromEntries(head?.headers ?? [])).toEqual(Object.fromEntries(whole?.headers ?? []));
    expect(await head?.text()).toBe('');
  });

  test.each([
    '/assets/missing-1.js',
    '/assets/app-1.js.br',
    '/assets/../../beside.txt',
    '/assets/..%2f..%2fbeside.txt',
    '/assets/%2e%2e/%2e%2e/beside.txt',
    '/assets//app-1.js',
    '/assets/app-1.js%00',
    '/assets/',
  ])('that is none is not found: %s', async (path) => {
    const answer = await get(path, { 'accept-encoding': 'br' });
    // What a browser resolves to a path outside is a path of the app.
    if (answer.status === 200) expect(answer.headers.get('content-type')).toMatch(/text\/html/);
    else expect(answer.status).toBe(404);
    expect(brotliSafe(await bytesOf(answer))).not.toContain('not ours');
  });
});

const brotliSafe = (bytes: Buffer): string => {
  try {
    return brotliDecompressSync(bytes).toString();
  } catch {
    return bytes.toString();
  }
};

describe('the page', () => {
  test.each([
    ['/login', ['login-1']],
    ['/login/', ['login-1']],
    ['/lists/7f', ['list-1']],
    ['/lists', []],
    ['/lists/7f/more', []],
    ['/nowhere', []],
    ['/index.html', []],
  ])('of %s names the scripts of its route: %s', async (path, scripts) => {
    const html = await (await get(path)).text();
    expect(
      [...html.matchAll(/modulepreload" crossorigin href="\/assets\/([^"]+)\.js"/g)].map(([, one]) => one),
    ).toEqual(scripts);
  });

  test('holds the configuration for the origin that it was opened at, as data that nothing in it ends', async () => {
    for (const origin of ['http://localhost', 'http://127.0.0.1:8080']) {
      const html = await (await app.request(`${origin}/login`)).text();
      const json = /<script type="application\/json" id="config">([^<]*)<\/script>/.exec(html)?.[1] ?? '';
      expect(JSON.parse(json)).toEqual({ ...CONFIG, backendUrl: origin });
      expect(html).not.toContain('config.json');
    }
  });

  test('is compressed, checked again each time, and known by its tag', async () => {
    const answer = await get('/login', { 'accept-encoding': 'gzip, br' });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(brotliDecompressSync(await bytesOf(answer)).toString()).toContain('login-1.js');
    const known = { 'accept-encoding': 'br', 'if-none-match': answer.headers.get('etag') ?? '' };
    expect((await get('/login', known)).status).toBe(304);
    expect((await get('/', known)).status).toBe(200);
  });
});
