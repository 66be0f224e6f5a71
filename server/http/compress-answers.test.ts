import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { compressAnswers } from './compress-answers.ts';

const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `Business ${id}` }));
const app = new Hono();
app.use(compressAnswers);
app.get('/rows', (c) => c.json(rows, 200, { ETag: '"rows"' }));
app.get('/few', (c) => c.json(rows.slice(0, 2)));
app.get('/refused', (c) => c.json({ message: 'x'.repeat(2000) }, 403));
app.get('/part', (c) => c.json(rows, 206, { 'Content-Range': '0-199/400' }));
app.get('/nothing', (c) => c.body(null, 204));
app.get('/file', (c) => c.body('a,b\n'.repeat(1000), 200, { 'Content-Type': 'text/csv' }));
app.get('/download', (c) => {
  const parts = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('{"first":1,'));
      await pause(300);
      controller.enqueue(new TextEncoder().encode(`"rest":"${'x'.repeat(3000)}"}`));
      controller.close();
    },
  });
  return c.body(parts, 200, { 'Content-Type': 'application/json', 'Content-Disposition': 'attachment' });
});
app.get('/large', (c) => c.json(Array.from({ length: 60 }, () => rows).flat()));

const get = (path: string, accepted?: string, method = 'GET') =>
  app.request(path, { method, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0.1, gzip', 'gzip', gunzipSync],
] as const)('rows for who accepts "%s" come as %s', async (accepted, coding, decode) => {
  const answer = await get('/rows', accepted);
  expect(answer.headers.get('content-encoding')).toBe(coding);
  expect(answer.headers.get('vary')).toBe('Accept-Encoding');
  expect(answer.headers.get('etag')).toBe('W/"rows"');
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(JSON.parse(decode(await bytesOf(answer)).toString())).toEqual(rows);
});

test.each([[undefined], ['identity'], ['br;q=0, gzip;q=0'], ['zstd']])(
  'they come as they are for "%s"',
  async (accepted) => {
    const answer = await get('/rows', accepted);
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('etag')).toBe('"rows"');
    expect(await answer.json()).toEqual(rows);
  },
);

test.each(['/few', '/part', '/nothing', '/file'])('%s is left as it is', async (path) => {
  const [plain, asked] = await Promise.all([get(path), get(path, 'br, gzip')]);
  expect(asked.status).toBe(plain.status);
  expect(asked.headers.get('content-encoding')).toBeNull();
  expect(await bytesOf(asked)).toEqual(await bytesOf(plain));
});

test('a refusal keeps its status', async () => {
  const answer = await get('/refused', 'br');
  expect(answer.status).toBe(403);
  expect(brotliDecompressSync(await bytesOf(answer)).toString()).toContain('xxx');
});

test('HEAD has no body and no coding', async () => {
  const answer = await get('/rows', 'br', 'HEAD');
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect(await answer.text()).toBe('');
});

test('a download streams: its first part does not wait for the rest', async () => {
  const answer = await get('/download', 'br');
  expect(answer.headers.get('content-encoding')).toBeNull();
  const begun = Date.now();
  const { value } = (await answer.body?.getReader().read()) ?? {};
  expect(new TextDecoder().decode(value)).toBe('{"first":1,');
  expect(Date.now() - begun).toBeLessThan(250);
});

test('the main thread goes on while a large answer is compressed', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  const answer = await get('/large', 'br');
  clearInterval(timer);
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(turns).toBeGreaterThan(0);
});
