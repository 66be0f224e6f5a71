import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listKeysEndpoint } from '#contract/account/api-keys.ts';
import { listPageReads, type PageRead } from '#contract/work/list-page.ts';
import { leadAnswers } from '#web/pages/testing/leads-of-list.ts';
import {
  ok,
  refused,
  renderApp,
  type SeenRequest,
  seedSession,
  stubServer,
  TEST_CONFIG,
  TEST_USER,
  testSession,
} from '#web/test-app.tsx';
import { aListRow, leadRows } from '#web/test-data.ts';
import pageSource from '../../../index.html?raw';
import { SESSION_STORAGE_KEY } from '../session/stored-session.ts';
import { callApi } from './api-client.ts';
import { readRows } from './read-rows.ts';

const LIST = { ...aListRow(), id: '11111111-2222-4333-8444-555555555555' };
const LISTS = { select: '*', order: 'created_at.desc,id.asc', offset: '0', limit: '1000' };
const keysAnswer = () => ok({ apiKeys: [] });
const LIST_PAGE = `/api/lists/${LIST.id}/page`;
type Answers = Parameters<typeof stubServer>[0];

/** Answers what the page of the list asks for in one request, as the server does: without what is refused. */
function withListPage(answers: Answers): Answers {
  const readAlone = async ({ address, body }: PageRead, page: SeenRequest) => {
    const [path = '', query = ''] = address.split('?');
    const method = body === undefined ? 'GET' : 'POST';
    const alone = { ...page, method, path, query: `?${query}`, body: body && JSON.parse(body) };
    const response = await answers[`${method} ${path}`]?.(alone);
    return response?.ok ? [[address + (body ?? ''), await response.json()]] : [];
  };
  return {
    ...answers,
    [`GET ${LIST_PAGE}`]: async (page) => {
      const parts = await Promise.all(listPageReads(LIST.id).map((read) => readAlone(read, page)));
      return ok({ answers: Object.fromEntries(parts.flat()) });
    },
  };
}

/** Runs the script of index.html that asks early, in a page that was opened at `path` with a configuration. */
function openPage(path: string, config: unknown = TEST_CONFIG): void {
  window.history.replaceState(null, '', path);
  document.head.append(
    Object.assign(document.createElement('meta'), { name: 'client', content: '/assets/client-1.js' }),
  );
  const data = Object.assign(document.createElement('script'), { type: 'application/json', id: 'config' });
  data.textContent = JSON.stringify(config);
  document.head.append(data);
  const scripts = [...pageSource.matchAll(/<script>([\s\S]*?)<\/script>/g)];
  const early = scripts.map(([, script = '']) => script).find((script) => script.includes('window.early'));
  if (!early) throw new Error('index.html has no script that asks early.');
  new Function(early)();
}

const store = (change: Partial<typeof testSession>) =>
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify({ ...testSession, ...change }));
const clientIsFetched = () => document.querySelector('link[rel="modulepreload"][href="/assets/client-1.js"]') !== null;

beforeEach(seedSession);
afterEach(() => {
  delete window.early;
  for (const own of document.querySelectorAll('meta[name="client"], #config, link[rel="modulepreload"]')) own.remove();
  window.history.replaceState(null, '', '/');
  vi.restoreAllMocks();
});

describe('what the first script asks for', () => {
  test.each([
    ['/', ['/api/keys', '/rest/v1/lists'], []],
    [
      `/lists/${LIST.id}`,
      ['/rest/v1/leads', LIST_PAGE],
      ['/rest/v1/lists', '/api/runs', `/api/lists/${LIST.id}/leads/counts`, '/api/keys'],
    ],
  ])('of %s is what its page asks for, once, by the same words', async (path, wanted, inside) => {
    const seen = stubServer(
      withListPage({
        'GET /rest/v1/lists': () => Response.json([LIST]),
        ...leadAnswers(LIST, leadRows(3)),
        'GET /api/runs': () => ok({ runs: [] }),
        'GET /api/keys': keysAnswer,
      }),
    );
    openPage(path);
    expect(seen.map((one) => one.path)).toEqual(wanted);
    renderApp(path);
    await screen.findAllByText(LIST.name);
    if (path !== '/') await screen.findByRole('table');
    await waitFor(() => expect(window.early?.asked).toEqual({}));
    for (const one of wanted) expect(seen.filter((request) => request.path === one)).toHaveLength(1);
    for (const one of inside) expect(seen.map((request) => request.path)).not.toContain(one);
    for (const { headers } of seen.slice(0, wanted.length))
      expect(headers.get('authorization')).toBe(`Bearer ${testSession.access_token}`);
  });

  test('of the dashboard is why a list has failed, where one has', async () => {
    const failed = { ...LIST, status: 'failed' };
    const seen = stubServer({
      'GET /rest/v1/lists': () => Response.json([failed]),
      'GET /api/runs': () => ok({ runs: [] }),
      'GET /api/keys': keysAnswer,
    });
    openPage('/');
    await waitFor(() => expect(seen.map((one) => one.path)).toContain('/api/runs'));
    renderApp('/');
    await screen.findAllByText(LIST.name);
    await waitFor(() => expect(window.early?.asked).toEqual({}));
    expect(seen.filter((request) => request.path === '/api/runs')).toHaveLength(1);
  });

  test.each(['/settings', '/login', '/lists/no-id', '/?view=archived', '/#code=1', '/?code=landing'])(
    'of %s is nothing',
    (path) => {
      const seen = stubServer({});
      openPage(path);
      expect(seen).toEqual([]);
    },
  );

  test.each([
    ['no one is signed in', () => localStorage.clear(), false],
    ['the token has run out', () => store({ expires_at: Date.now() / 1000 - 10 }), true],
    ['the token is about to run out', () => store({ expires_at: Date.now() / 1000 + 60 }), true],
    ['no one knows when it does', () => store({ expires_at: Number.NaN }), true],
    ['what is stored is broken', () => localStorage.setItem(SESSION_STORAGE_KEY, '{'), false],
    ['a session waits to be carried over', () => localStorage.setItem('fairlead-session-before', 'earlier'), false],
  ])('is nothing when %s', (_when, arrange, clientFirst) => {
    arrange();
    const seen = stubServer({});
    openPage('/');
    expect(seen).toEqual([]);
    // Anyone whose session has to be renewed first needs what renews it at once.
    expect(clientIsFetched()).toBe(clientFirst);
  });

  test.each([
    ['sign-in is elsewhere', { ...TEST_CONFIG, backendUrl: 'https://elsewhere.example' }],
    ['the page has no configuration', null],
  ])('is nothing when %s', (_when, config) => {
    const seen = stubServer({});
    openPage('/', config);
    expect(seen).toEqual([]);
  });
});

describe('an early answer', () => {
  test('is given once', async () => {
    const seen = stubServer({ 'GET /api/keys': keysAnswer, 'GET /rest/v1/lists': () => Response.json([]) });
    openPage('/');
    await callApi(listKeysEndpoint);
    await readRows('lists', LISTS);
    expect(seen).toHaveLength(2);
    await callApi(listKeysEndpoint);
    await readRows('lists', LISTS);
    expect(seen).toHaveLength(4);
  });

  test('is never shown to another person who has signed in meanwhile, in this tab or in another', async () => {
    const seen = stubServer({
      'GET /rest/v1/lists': ({ headers }) =>
        Response.json([{ ...LIST, name: headers.get('authorization')?.endsWith('other') ? 'Theirs' : 'Mine' }]),
      'GET /api/keys': keysAnswer,
    });
    openPage('/');
    store({ access_token: 'of.the.other', user: { ...testSession.user, id: 'someone-else' } });
    renderApp('/');
    await screen.findAllByText('Theirs');
    expect(screen.queryByText('Mine')).not.toBeInTheDocument();
    expect(seen.filter(({ path }) => path === '/rest/v1/lists')).toHaveLength(2);
  });

  test('is not shown after signing out', async () => {
    stubServer({ 'GET /api/keys': keysAnswer, 'GET /rest/v1/lists': () => Response.json([LIST]) });
    openPage('/');
    localStorage.clear();
    const { router } = renderApp('/');
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    await expect(callApi(listKeysEndpoint)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  test('that refuses is asked for again, and the second refusal is told as ever', async () => {
    const seen = stubServer({ 'GET /api/keys': () => refused(403, 'FORBIDDEN', 'Not yours.') });
    openPage('/');
    await expect(callApi(listKeysEndpoint)).rejects.toMatchObject({ status: 403, message: 'Not yours.' });
    expect(seen.filter(({ path }) => path === '/api/keys')).toHaveLength(2);
  });

  test.each([
    ['what was refused alone', () => ok({ answers: {} })],
    ['all that was refused', () => refused(429, 'RATE_LIMITED', 'Too many requests.')],
    ['what some proxy answered', () => new Response('<p>Try later</p>', { status: 502 })],
  ])('of the page of a list: %s is asked for again', async (_what, answer) => {
    const seen = stubServer({ [`GET ${LIST_PAGE}`]: answer, 'GET /api/keys': keysAnswer });
    openPage(`/lists/${LIST.id}`);
    await expect(callApi(listKeysEndpoint)).resolves.toEqual({ apiKeys: [] });
    expect(seen.map(({ path }) => path)).toEqual(['/rest/v1/leads', LIST_PAGE, '/api/keys']);
  });

  test('that never came is asked for again', async () => {
    const answers: Parameters<typeof stubServer>[0] = {};
    stubServer(answers);
    openPage('/');
    answers['GET /api/keys'] = keysAnswer;
    await expect(callApi(listKeysEndpoint)).resolves.toEqual({ apiKeys: [] });
  });

  test('that no one has taken for a while is forgotten', async () => {
    const seen = stubServer({ 'GET /api/keys': keysAnswer });
    openPage('/');
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 11_000);
    await callApi(listKeysEndpoint);
    expect(seen.filter(({ path }) => path === '/api/keys')).toHaveLength(2);
  });
});

test('a page whose token holds shows its person before the client is there', async () => {
  stubServer({ 'GET /rest/v1/lists': () => Response.json([LIST]), 'GET /api/keys': keysAnswer });
  renderApp('/account');
  expect(await screen.findAllByText(TEST_USER.email)).not.toHaveLength(0);
});
