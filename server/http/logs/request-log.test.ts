import { Writable } from 'node:stream';
import { Hono } from 'hono';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { HttpEnv } from '#server/http/http-env.ts';
import { requestLog } from './request-log.ts';

test('a line for each request, but not for every probe that goes well', async () => {
  const lines: string[] = [];
  const log = pino(new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) }));
  let ready = true;
  const app = new Hono<HttpEnv>().use(requestLog(log));
  app.get('/readyz', (c) => c.text('', ready ? 200 : 503));
  app.get('/api/lists', (c) => c.text(''));
  for (const path of ['/readyz', '/api/lists?name=secret']) await app.request(path);
  ready = false;
  await app.request('/readyz');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'GET', path: '/api/lists', status: 200 },
    { method: 'GET', path: '/readyz', status: 503 },
  ]);
  expect(lines.join()).not.toContain('secret');
});
