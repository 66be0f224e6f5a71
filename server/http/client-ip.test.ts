import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientIpFinder } from './client-ip.ts';

const app = new Hono();
const finders = {
  none: clientIpFinder([]),
  loopback: clientIpFinder(['loopback']),
  network: clientIpFinder(['127.0.0.0/8', '10.1.0.0/16']),
};
for (const [name, find] of Object.entries(finders)) app.get(`/${name}`, (c) => c.text(find(c)));

let origin = '';
let close = () => {};
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      origin = `http://127.0.0.1:${port}`;
      resolve();
    });
    close = () => server.close();
  });
});
afterAll(() => close());

const ask = async (path: string, forwarded?: string) =>
  (await fetch(origin + path, { headers: forwarded ? { 'x-forwarded-for': forwarded } : {} })).text();

test('without a trusted proxy, forwarding headers are not believed', async () => {
  expect(await ask('/none', '203.0.113.9')).toBe('127.0.0.1');
});

test('a trusted proxy is believed for one hop, forged hops before it are not', async () => {
  expect(await ask('/loopback', '203.0.113.9')).toBe('203.0.113.9');
  expect(await ask('/loopback', '198.51.100.1, 203.0.113.9')).toBe('203.0.113.9');
});

test('several trusted proxies are walked back to the first stranger', async () => {
  expect(await ask('/network', '198.51.100.1, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
});

test('a link-local address counts without its zone', async () => {
  expect(await ask('/loopback', 'fe80::1%eth0')).toBe('fe80::1');
});

test('garbage is not an address', async () => {
  expect(await ask('/loopback', 'unknown')).toBe('127.0.0.1');
  expect(await ask('/loopback', '203.0.113.9, <script>')).toBe('127.0.0.1');
});
