import type { Hono } from 'hono';
import type { HttpEnv } from '#server/http/http-env.ts';

/**
 * Serves /crawler.txt: who visits websites from here, and how a site refuses it. The crawler names this address to every site.
 * `contact`: https: or mailto:.
 */
export function crawlerTxt(app: Hono<HttpEnv>, { contact }: { contact: string }): void {
  const lines = [
    'FairleadBot looks on the websites of businesses for the addresses at which they want to be reached.',
    'It reads at most five pages, one at a time, at least a second apart. It runs no scripts and fills in no forms.',
    '',
    'It keeps to robots.txt (RFC 9309). To refuse it, write there:',
    '',
    'User-agent: FairleadBot',
    'Disallow: /',
    '',
    'It takes no addresses from a site that says they must not be taken.',
    `Contact: ${contact}`,
    '',
  ];
  app.get('/crawler.txt', (c) => {
    c.header('Cache-Control', 'public, max-age=86400');
    return c.text(lines.join('\n'));
  });
}
