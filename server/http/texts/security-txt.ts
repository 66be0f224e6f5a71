import type { Hono } from 'hono';
import type { HttpEnv } from '#server/http/http-env.ts';

const PATH = '/.well-known/security.txt';
const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

/**
 * Serves /.well-known/security.txt (RFC 9116): whom to tell of a weakness. `contact`: https: or mailto:.
 * Expires is computed for each answer, so that a running server never shows one that has passed.
 */
export function securityTxt(app: Hono<HttpEnv>, { siteUrl, contact }: { siteUrl: string; contact: string }): void {
  app.get(PATH, (c) => {
    const expires = new Date(Date.now() + VALID_DAYS * DAY_MS).toISOString().replace(/\.\d+Z$/, 'Z');
    c.header('Cache-Control', 'public, max-age=86400');
    return c.text(
      [
        `Contact: ${contact}`,
        `Expires: ${expires}`,
        'Preferred-Languages: en',
        `Canonical: ${siteUrl}${PATH}`,
        '',
      ].join('\n'),
    );
  });
  app.get('/security.txt', (c) => c.redirect(PATH, 301));
}
