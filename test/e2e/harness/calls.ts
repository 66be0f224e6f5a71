import type { Page, Request, Route } from 'playwright-core';

/** A call of the browser app as it left: to the product API, the data API or the sign-in. */
export type Call = {
  /** Such as `GET /rest/v1/lists`. */
  what: string;
  query: Record<string, string>;
  body: unknown;
  /** Whether someone's access token came with it. */
  bearer: boolean;
};

const isCall = (path: string) => /^\/(api|rest\/v1|auth\/v1)\//.test(path);

function callOf(request: Request): Call {
  const { pathname, searchParams } = new URL(request.url());
  return {
    what: `${request.method()} ${pathname}`,
    query: Object.fromEntries(searchParams),
    body: request.postDataJSON() as unknown,
    bearer: /^Bearer eyJ/.test(request.headers().authorization ?? ''),
  };
}

/** What the page calls from now on, in order. */
export function recordCalls(page: Page): Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    if (isCall(new URL(request.url()).pathname)) calls.push(callOf(request));
  });
  return calls;
}

/** An answer in the server's place; without one, the connection breaks. */
export type Answer = { status: number; body: unknown; contentType?: string } | undefined;

/**
 * Responds to `what`, such as `POST /api/keys/test`, in the server's place, until it is told to stop. A body that is no text
 * is sent as JSON.
 */
export async function answerInstead(page: Page, what: string, answer: Answer): Promise<() => Promise<void>> {
  const [method, path] = what.split(' ');
  const matches = (url: URL) => url.pathname === path;
  const handle = (route: Route) => {
    if (route.request().method() !== method) return route.fallback();
    if (!answer) return route.abort('connectionreset');
    const { status, body, contentType = 'application/json' } = answer;
    return route.fulfill({ status, contentType, body: typeof body === 'string' ? body : JSON.stringify(body) });
  };
  await page.route(matches, handle);
  return () => page.unroute(matches, handle);
}
