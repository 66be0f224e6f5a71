import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { securityHeaders } from './security-headers.ts';

test('only the two players may be framed, and they learn which site they play for', async () => {
  const app = new Hono();
  app.use(securityHeaders({ page: '', connectOrigins: [], https: false }));
  const { headers } = await app.request('/');
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toContain('frame-src https://www.youtube-nocookie.com https://player.vimeo.com');
  expect(policy).toContain("default-src 'self'");
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
});
