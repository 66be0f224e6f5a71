import { afterEach, expect, test } from 'vitest';
import { createDrain } from './drain.ts';
import { type HttpServer, listen } from './listen.ts';

let http: HttpServer | undefined;
afterEach(() => http?.stop());

test('anyone who is told to stop says so at /readyz, and goes on serving', async () => {
  const drain = createDrain(0);
  http = await listen({
    host: '127.0.0.1',
    port: 0,
    listener: drain.through((request, response) => response.end(`served ${request.url}`)),
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${http?.port}${path}`);
  const before = await get('/readyz');
  expect([before.status, await before.text(), before.headers.get('connection')]).toEqual([
    200,
    'served /readyz',
    'keep-alive',
  ]);
  await drain.begin();
  const ready = await get('/readyz');
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping' }]);
  const other = await get('/other');
  expect([other.status, await other.text(), other.headers.get('connection')]).toEqual([200, 'served /other', 'close']);
});
