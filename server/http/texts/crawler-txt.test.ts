import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { HttpEnv } from '#server/http/http-env.ts';
import { robotsRules } from '#websites/robots/robots-rules.ts';
import { PRODUCT } from '#websites/visit-site.ts';
import { crawlerTxt } from './crawler-txt.ts';

test('says who visits and whom to ask, and what it tells a site to write refuses the visitor', async () => {
  const app = new Hono<HttpEnv>();
  crawlerTxt(app, { contact: 'mailto:help@leads.example' });
  const answer = await app.request('/crawler.txt');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8']);
  const text = await answer.text();
  expect(text).toContain('Contact: mailto:help@leads.example\n');
  const rules = robotsRules('https://firm.example', PRODUCT, { status: 200, text });
  expect(rules.allows(new URL('https://firm.example/contact'))).toBe(false);
});
