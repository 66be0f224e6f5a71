import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMailer } from '#server/mail/mailer.ts';
import { createMailbox } from './mailbox.ts';

let folder: string;
let port: number;
let close: () => void;
const LINK = 'http://localhost:3000/auth/v1/verify?token=abc&type=magiclink';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fairlead-mailbox-'));
  const mailer = createMailer({ from: 'no-reply@fairlead.example', outboxDir: folder });
  await mailer.send({
    to: 'ann@people.example',
    subject: '<script>alert("subject")</script>',
    text: `Open ${LINK}\n<img src=x onerror=alert(1)>`,
    html: '<a href="http://elsewhere.example/">Hello</a>',
  });
  await new Promise<void>((resolve) => {
    const server = serve(
      { fetch: createMailbox({ outboxDir: folder }).fetch, port: 0, hostname: '127.0.0.1' },
      (info) => {
        port = info.port;
        resolve();
      },
    );
    close = () => server.close();
  });
});
afterAll(async () => {
  close();
  await rm(folder, { recursive: true });
});

/** fetch would not let a test choose the Host header. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const asked = request(
      { hostname: '127.0.0.1', port, path, headers: { Host: `localhost:${port}`, ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', text });
        });
      },
    );
    asked.on('error', reject);
    asked.end();
  });

test('lists mails for programs', async () => {
  const { status, type, text } = await ask('/outbox.json');
  expect({ status, type }).toEqual({ status: 200, type: 'application/json' });
  expect(JSON.parse(text)).toEqual([
    {
      to: 'ann@people.example',
      subject: '<script>alert("subject")</script>',
      text: `Open ${LINK}\n<img src=x onerror=alert(1)>`,
      html: '<a href="http://elsewhere.example/">Hello</a>',
      links: [LINK, 'http://elsewhere.example/'],
      sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ]);
});

test('shows mails to people, everything escaped, links to click', async () => {
  const { status, type, text } = await ask('/outbox');
  expect({ status, type }).toEqual({ status: 200, type: 'text/html; charset=UTF-8' });
  const link = LINK.replaceAll('&', '&amp;');
  expect(text).toContain(`<pre>Open <a href="${link}">${link}</a>\n&lt;img`);
  expect(text).toContain('<li><a href="http://elsewhere.example/">');
  expect(text).toContain('&lt;script&gt;');
  expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(text).not.toMatch(/<script|<img/);
});

test.each(['localhost', '127.0.0.1', 'LOCALHOST:8080', '[::1]:3000'])('answers at the name %s', async (Host) => {
  expect((await ask('/outbox.json', { Host })).status).toBe(200);
});

test.each([
  { Host: 'fairlead.example' },
  { Host: 'localhost.evil.example' },
  { Host: '127.0.0.1.evil.example' },
  { Host: '10.0.0.1:3000' },
  { Forwarded: 'for=203.0.113.9' },
  { 'X-Forwarded-For': '203.0.113.9' },
  { 'X-Forwarded-For': '127.0.0.1' },
  { 'X-Forwarded-Proto': 'https' },
  { 'X-Real-IP': '203.0.113.9' },
  { Via: '1.1 proxy' },
])('is not there for a caller with %j', async (headers) => {
  for (const path of ['/outbox', '/outbox.json']) {
    const { status, text } = await ask(path, headers);
    expect({ status, text }).toEqual({ status: 404, text: 'Not found' });
  }
});

test.each(['192.0.2.1', '::ffff:10.0.0.2', 'fe80::1', '128.0.0.1', ''])(
  'is not there for the socket of %s',
  async (remoteAddress) => {
    const socket = { remoteAddress, remotePort: 40_000, remoteFamily: 'IPv4' };
    const headers = { Host: 'localhost' };
    const app = createMailbox({ outboxDir: folder });
    expect((await app.request('/outbox.json', { headers }, { incoming: { socket } })).status).toBe(404);
    const local = { ...socket, remoteAddress: '::ffff:127.0.0.1' };
    expect((await app.request('/outbox.json', { headers }, { incoming: { socket: local } })).status).toBe(200);
  },
);

test('is not there for a request without a socket', async () => {
  const app = createMailbox({ outboxDir: folder });
  expect((await app.request('/outbox.json', { headers: { Host: 'localhost' } })).status).toBe(404);
});
