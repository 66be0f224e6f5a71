import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Page,
  Request,
  Response,
  WebError,
} from 'playwright-core';
import type { Session, Site } from './site.ts';

/** Where the browser app keeps its session in localStorage. */
const SESSION_STORAGE_KEY = 'fairlead-session';

/** Longer than anything that a page does without being slow on purpose, in ms. */
const PATIENCE_MS = 30_000;

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
export const SMALL_PHONE = { width: 320, height: 640 };

/** Someone with a browser of their own: nothing is shared with other visitors. */
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
  /** Closes what they have open. */
  leave(): Promise<void>;
};

/** How a visitor's browser differs from a plain one, and what it has stored. */
export type VisitorOptions = BrowserContextOptions & {
  session?: Pick<Session, 'stored'> | undefined;
  theme?: 'light' | 'dark' | undefined;
};

/** Opens a browser for a visitor of the site, with a session if one is given. */
export async function openVisitor(
  browser: Browser,
  site: Pick<Site, 'url'>,
  { session, theme, ...contextOptions }: VisitorOptions = {},
): Promise<Visitor> {
  const localStorage = storageOf({ session, theme });
  const context = await openContext(browser, site, {
    ...(localStorage.length > 0
      ? { storageState: { cookies: [], origins: [{ origin: site.url, localStorage }] } }
      : {}),
    ...contextOptions,
  });
  return visitorIn(context, site, { newTab: () => context.newPage(), leave: () => context.close() });
}

/** A browser profile as visitors have it. */
export async function openContext(
  browser: Browser,
  site: Pick<Site, 'url'>,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: DESKTOP,
    acceptDownloads: true,
    locale: 'en-US',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** What the browser app finds in localStorage. */
export const storageOf = ({ session, theme }: Pick<VisitorOptions, 'session' | 'theme'>) => [
  ...(session ? [{ name: SESSION_STORAGE_KEY, value: session.stored }] : []),
  ...(theme ? [{ name: 'theme', value: theme }] : []),
];

/** A visitor with a first tab in this profile, which is watched until they leave. */
export async function visitorIn(
  context: BrowserContext,
  site: Pick<Site, 'url'>,
  { newTab, leave }: Pick<Visitor, 'newTab' | 'leave'>,
): Promise<Visitor> {
  const page = await newTab();
  const expected: RegExp[] = [];
  const { found, stop } = watch(context, new URL(site.url).origin);
  return {
    page,
    context,
    newTab,
    expectFailure: (pattern) => void expected.push(pattern),
    problems: () => found.splice(0).filter((problem) => !expected.some((pattern) => pattern.test(problem))),
    async leave() {
      stop();
      await leave();
    },
  };
}

function watch(context: BrowserContext, origin: string): { found: string[]; stop(): void } {
  const found: string[] = [];
  const isOurs = (url: string) => url.startsWith(`${origin}/`);
  const pathOf = (url: string) => new URL(url).pathname;
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() !== 'error') return;
    // A request that failed is told of below, with its status.
    if (message.text().startsWith('Failed to load resource') && isOurs(message.location().url)) return;
    found.push(`console: ${message.text()} (${message.location().url})`);
  };
  const onError = (event: WebError) => void found.push(`uncaught: ${event.error().stack ?? event.error()}`);
  const onResponse = (response: Response) => {
    const request = response.request();
    if (response.status() < 400 || !isOurs(request.url())) return;
    found.push(`${response.status()} ${request.method()} ${pathOf(request.url())}`);
  };
  const onFailure = (request: Request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    // The page itself gave it up: it went elsewhere, or the answer is not needed anymore.
    if (reason === 'net::ERR_ABORTED' || !isOurs(request.url())) return;
    found.push(`${reason} ${request.method()} ${pathOf(request.url())}`);
  };
  context.on('console', onConsole);
  context.on('weberror', onError);
  context.on('response', onResponse);
  context.on('requestfailed', onFailure);
  return {
    found,
    stop() {
      context.off('console', onConsole);
      context.off('weberror', onError);
      context.off('response', onResponse);
      context.off('requestfailed', onFailure);
    },
  };
}
