import { Hono } from 'hono';
import { afterEach, expect, test, vi } from 'vitest';
import type { HttpEnv } from '#server/http/http-env.ts';
import { securityTxt } from './security-txt.ts';

afterEach(() => vi.useRealTimers());

const app = new Hono<HttpEnv>();
securityTxt(app, { siteUrl: 'https://leads.example', contact: 'mailto:security@leads.example' });

test('says whom to tell of a weakness, in the fields of RFC 9116, each once', async () => {
  const answer = await app.request('/.well-known/security.txt');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8']);
  const lines = (await answer.text()).trimEnd().split('\n');
  expect(lines.map((line) => line.split(': ', 1)[0])).toEqual([
    'Contact',
    'Expires',
    'Preferred-Languages',
    'Canonical',
  ]);
  expect(lines[0]).toBe('Contact: mailto:security@leads.example');
  expect(lines[3]).toBe('Canonical: https://leads.example/.well-known/security.txt');
});

test('never expires while the server runs', async () => {
  vi.useFakeTimers();
  for (const now of ['2027-01-01T00:00:00Z', '2031-06-30T12:00:00Z']) {
    vi.setSystemTime(now);
    const text = await (await app.request('/.well-known/security.txt')).text();
    const left = Date.parse(/^Expires: (\S+)$/m.exec(text)?.[1] ?? '') - Date.now();
    expect(left).toBeGreaterThan(86_400_000);
    expect(left).toBeLessThan(365 * 86_400_000);
  }
});

test('is found at its older address', async () => {
  const answer = await app.request('/security.txt');
  expect([answer.status, answer.headers.get('location')]).toEqual([301, '/.well-known/security.txt']);
});
