import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Session, Site } from './site.ts';

/** Where the browser app keeps its session in localStorage. */
const SESSION_STORAGE_KEY = 'fairlead-session';

/** Longer than anything that a page does without being slow on purpose, in ms. */
const PATIENCE_MS = 15_000;

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
export const SMALL_PHONE = { width: 320, height: 640 };

/** Somebody with a browser of their own: nothing is shared with other visitors. */
export type Visitor = {
  page: Page;
  context: BrowserContext;
  /** Lets a failure pass, such as /^403 POST \/auth\/v1\/verify/. What no pattern fits is a problem. */
  expectFailure(pattern: RegExp): void;
  /**
   * What has gone wrong since the last call: console errors, uncaught errors and failed requests to the site, each as
   * `403 POST /auth/v1/verify`, `net::ERR_… GET /path`, `console: …` or `uncaught: …`.
   */
  problems(): string[];
  /** Another tab of the same browser. */
  newTab(): Promise<Page>;
};

/** Opens a browser for a visitor of the site, with a session if one is given. */
export async function openVisitor(
  browser: Browser,
  site: Pick<Site, 'url'>,
  options: BrowserContextOptions & { session?: Session | undefined; theme?: 'light' | 'dark' } = {},
): Promise<Visitor> {
  const { session, theme, ...contextOptions } = options;
  const stored = [
    ...(session ? [{ name: SESSION_STORAGE_KEY, value: session.stored }] : []),
    ...(theme ? [{ name: 'theme', value: theme }] : []),
  ];
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: DESKTOP,
    acceptDownloads: true,
    locale: 'en-US',
    ...(stored.length > 0
      ? { storageState: { cookies: [], origins: [{ origin: site.url, localStorage: stored }] } }
      : {}),
    ...contextOptions,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const expected: RegExp[] = [];
  const found = watch(context, new URL(site.url).origin);
  return {
    page: await context.newPage(),
    context,
    expectFailure: (pattern) => void expected.push(pattern),
    problems: () => found.splice(0).filter((problem) => !expected.some((pattern) => pattern.test(problem))),
    newTab: () => context.newPage(),
  };
}

function watch(context: BrowserContext, origin: string): string[] {
  const found: string[] = [];
  const isOurs = (url: string) => url.startsWith(`${origin}/`);
  const pathOf = (url: string) => new URL(url).pathname;
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    // A request that failed is told of below, with its status.
    if (message.text().startsWith('Failed to load resource') && isOurs(message.location().url)) return;
    found.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (event) => void found.push(`uncaught: ${event.error().stack ?? event.error()}`));
  context.on('response', (response) => {
    const request = response.request();
    if (response.status() < 400 || !isOurs(request.url())) return;
    found.push(`${response.status()} ${request.method()} ${pathOf(request.url())}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    // The page itself gave it up: it went elsewhere, or the answer is not needed any more.
    if (reason === 'net::ERR_ABORTED' || !isOurs(request.url())) return;
    found.push(`${reason} ${request.method()} ${pathOf(request.url())}`);
  });
  return found;
}
