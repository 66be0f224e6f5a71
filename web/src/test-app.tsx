import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLayoutEffect } from 'react';
import { type Location, MemoryRouter, type NavigateFunction, useLocation, useNavigate } from 'react-router';
import { vi } from 'vitest';
import type { AppConfig } from '#contract/config.ts';
import { SWEEP_MARKER_KEY } from '#contract/work/retention.ts';
import { ThemeProvider } from '#web/features/theme/theme-provider.tsx';
import { ConfigProvider } from '#web/lib/backend/config.tsx';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import type { LandingNews } from '#web/lib/session/landing.ts';
import { LandingNewsProvider } from '#web/lib/session/landing-news.tsx';
import { SessionProvider } from '#web/lib/session/session.tsx';
import { SESSION_STORAGE_KEY } from '#web/lib/session/stored-session.ts';
import { Pages } from '#web/shell/pages.tsx';
import { ProofQuestion } from '#web/shell/proof/proof-question.tsx';
import { Toaster } from '#web/ui/feedback/toaster.tsx';
import { routes } from './router.tsx';

/** Helpers for tests of the browser app: everything is real except the network. */

export const TEST_CONFIG: AppConfig = {
  backendUrl: window.location.origin,
  backendKey: 'publishable',
  sandbox: false,
  mailbox: false,
  supportUrl: 'mailto:support@fairlead.example',
};

export const TEST_USER = { id: '0b6f1e0e-6b1f-4b7a-9c57-3a1f6d9a2f10', email: 'mara.quill@harbour.example' };

export const testSession = {
  access_token: 'header.payload.signature',
  refresh_token: 'refresh',
  token_type: 'bearer',
  expires_in: 3600,
  /** 2100-01-01: never refreshed. */
  expires_at: 4_102_444_800,
  user: {
    ...TEST_USER,
    aud: 'authenticated',
    app_metadata: {},
    user_metadata: { role: 'user' },
    created_at: '2026-01-01',
  },
};

/** Puts a session where the backend client looks for it. The day's retention sweep has been asked for. */
export function seedSession(): void {
  localStorage.setItem(SWEEP_MARKER_KEY, String(Date.now()));
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify(testSession));
}

/** The same for an administrator. */
export function seedAdminSession(): void {
  const user = { ...testSession.user, user_metadata: { role: 'admin' } };
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify({ ...testSession, user }));
}

export type SeenRequest = {
  method: string;
  path: string;
  query: string;
  headers: Headers;
  body: unknown;
  signal: AbortSignal | undefined;
};
type Answer = (request: SeenRequest) => Response | Promise<Response>;

/** A product answer. */
export const ok = (data: unknown): Response => Response.json({ success: true, data });

/** A product refusal. */
export const refused = (status: number, error: string, message?: string): Response =>
  Response.json({ success: false, error, message, requestId: 'req-1' }, { status });

/** A refusal of the backend's sign-in protocol. */
export const authRefused = (status: number, code: string): Response =>
  Response.json({ code, message: 'internal detail' }, { status, headers: { 'x-supabase-api-version': '2024-01-01' } });

function readBody(body: unknown): unknown {
  if (typeof body !== 'string' || body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/**
 * Answers fetch by 'METHOD /path'; an unknown address is a connection that fails. Returns the requests seen, in order.
 * `answers` may be changed during a test.
 */
export function stubServer(answers: Record<string, Answer>): SeenRequest[] {
  const seen: SeenRequest[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(input instanceof Request ? input.url : String(input), window.location.origin);
    const request: SeenRequest = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.search,
      headers: new Headers(init.headers),
      body: readBody(init.body),
      signal: init.signal ?? undefined,
    };
    if (request.path === '/config.json') return Response.json(TEST_CONFIG);
    const answer = answers[`${request.method} ${request.path}`];
    if (!answer && request.path === '/auth/v1/settings') return Response.json({ external: { email: true } });
    // A client that cannot renew its session tries for half a minute, into the tests that follow.
    if (!answer && request.path === '/auth/v1/token') return authRefused(400, 'refresh_token_not_found');
    seen.push(request);
    if (!answer) throw new TypeError(`No connection: ${request.method} ${request.path}`);
    return answer(request);
  });
  return seen;
}

/** What the address is, and the way to another. */
type TestRouter = { state: { location: Location }; navigate: (to: string | number) => Promise<void> };

function Probe({ onMoved }: { onMoved: (location: Location, navigate: NavigateFunction) => void }) {
  const location = useLocation();
  const navigate = useNavigate();
  useLayoutEffect(() => onMoved(location, navigate), [location, navigate, onMoved]);
  return null;
}

/** Renders the whole app at an address. */
export function renderApp(
  path: string,
  { config = {}, landingNews }: { config?: Partial<AppConfig>; landingNews?: LandingNews } = {},
) {
  const router: Partial<TestRouter> = {};
  const moved = (location: Location, navigate: NavigateFunction) => {
    router.state = { location };
    router.navigate = (to) => act(async () => navigate(to as string));
  };
  const user = userEvent.setup();
  render(
    <ThemeProvider>
      <ConfigProvider config={{ ...TEST_CONFIG, ...config }}>
        <LandingNewsProvider news={landingNews}>
          <QueryClientProvider client={createQueryClient()}>
            <SessionProvider>
              <MemoryRouter initialEntries={[path]}>
                <Pages routes={routes} />
                <Probe onMoved={moved} />
              </MemoryRouter>
              <ProofQuestion />
            </SessionProvider>
          </QueryClientProvider>
        </LandingNewsProvider>
      </ConfigProvider>
      <Toaster theme="dark" />
    </ThemeProvider>,
  );
  return { router: router as TestRouter, user };
}
