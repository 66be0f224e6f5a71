import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { ok, refused, renderApp, seedSession, TEST_USER } from '#web/test-app.tsx';
import { aListRow, aRun, leadRows } from '#web/test-data.ts';
import { card, dialog, fillSearch, serve, startSearch } from './testing/dashboard.ts';

beforeEach(() => seedSession());

describe('whether one can search', () => {
  test('with a places key', async () => {
    serve([]);
    renderApp('/');
    expect(await screen.findByText('Ready to search')).toBeVisible();
    expect(await screen.findByText('No lists yet')).toBeVisible();
    expect(screen.getByText('Get started by searching for leads')).toBeVisible();
    expect(
      within(screen.getByRole('region', { name: 'My Lists' })).getByRole('button', { name: 'New Search' }),
    ).toBeVisible();
  });

  test('without one', async () => {
    serve([], { keys: { google_places: false } });
    const { user } = renderApp('/');
    expect(await screen.findByText('Setup required')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Settings' })).toHaveAttribute('href', '/settings');
    await user.click(await screen.findByRole('button', { name: 'Create Your First List' }));
    const form = await dialog();
    expect(form.getByText('Google Places is not connected')).toBeVisible();
    await user.click(form.getByRole('button', { name: 'Connect Google Places' }));
    expect(await screen.findByLabelText('API key')).toBeVisible();
  });
});

describe('a search', () => {
  test('opens by /search once, and says what is wrong with the form', async () => {
    serve([]);
    const { router, user } = renderApp('/search');
    const form = await dialog();
    expect(form.getByRole('button', { name: 'Start Search' })).toBeDisabled();
    await user.type(form.getByLabelText('Business type'), 'ab');
    await user.type(form.getByLabelText('Location'), 'S');
    await user.tab();
    expect(await form.findByText('Business type must be at least 3 characters')).toBeVisible();
    expect(await form.findByText('Location must be at least 2 characters')).toBeVisible();
    expect(form.getByRole('button', { name: 'Start Search' })).toBeDisabled();
    expect(router.state.location.state).toBeNull();
    const panel = within(form.getByRole('region', { name: 'Cost and savings' }));
    expect(panel.getByText('$1.02')).toBeVisible();
    expect(panel.getByText('$19.98 – $88.98')).toBeVisible();
    expect(panel.getByText('95% – 99%')).toBeVisible();
  });

  test('opened over the dashboard, its dialog goes with the browser’s Back', async () => {
    serve([]);
    const { router, user } = renderApp('/');
    await user.click(await screen.findByRole('link', { name: 'New Search' }));
    await dialog();
    await act(() => router.navigate(-1));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(router.state.location.pathname).toBe('/');
  });

  test('shows its list at once, is asked for once, and tells its end', async () => {
    const { answers, lists, seen } = serve([]);
    const made = aListRow({ status: 'processing', lead_count: 0, tier1_complete: false });
    answers['POST /rest/v1/lists'] = () => {
      lists.unshift(made);
      return Response.json(made, { status: 201 });
    };
    let end: (answer: Response) => void = () => {};
    answers['POST /api/search-leads'] = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    const { user } = renderApp('/search');
    await startSearch(user);

    const shown = await card('dentists in Springfield, IL');
    expect(shown.getAllByText('Data Processing')).toHaveLength(2);
    expect(shown.getByRole('button', { name: 'Data Processing' })).toBeDisabled();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    const inserts = seen.filter(({ method, path }) => method === 'POST' && path === '/rest/v1/lists');
    expect(inserts.map(({ body }) => body)).toEqual([
      {
        user_id: TEST_USER.id,
        name: 'dentists in Springfield, IL',
        search_params: { businessType: 'dentists', location: 'Springfield, IL', radius: '25', maxResults: '60' },
        status: 'processing',
      },
    ]);
    const posts = () => seen.filter(({ path }) => path === '/api/search-leads');
    await waitFor(() => expect(posts()).toHaveLength(1));
    expect(posts()[0]?.body).toEqual({
      query: 'dentists',
      location: 'Springfield, IL',
      list_id: 'list-1',
      radius: 40_234,
      maxResults: 60,
      max_cost: 1.02,
    });

    lists[0] = aListRow();
    end(ok({ leads: leadRows(48) }));
    expect(await screen.findByText('48 leads found.')).toBeVisible();
    await waitFor(() => expect(shown.getByRole('button', { name: /Add Emails & Contacts/ })).toBeVisible());
    expect(posts()).toHaveLength(1);
  });

  test('whose end is told before its answer comes keeps the way to its list', async () => {
    const { answers, lists } = serve([]);
    const answer = Promise.withResolvers<Response>();
    answers['POST /rest/v1/lists'] = () => {
      lists.unshift(aListRow({ status: 'processing', lead_count: 0 }));
      return Response.json(lists[0], { status: 201 });
    };
    answers['POST /api/search-leads'] = () => answer.promise;
    answers['GET /api/runs'] = () => ok({ runs: [aRun({ finishedAt: '2026-11-01T12:01:00Z' })] });
    const { user } = renderApp('/search');
    await startSearch(user);
    const shown = await card('dentists in Springfield, IL');
    lists[0] = aListRow();
    expect(await screen.findByRole('button', { name: 'View list' }, { timeout: 3000 })).toBeVisible();

    answer.resolve(ok({ leads: leadRows(48) }));
    await waitFor(() => expect(shown.getByRole('button', { name: /Add Emails & Contacts/ })).toBeVisible());
    expect(screen.getByRole('button', { name: 'View list' })).toBeVisible();
    expect(screen.queryByText('48 leads found.')).not.toBeInTheDocument();
  });

  test('that is cut off is not called failed', async () => {
    const { answers, lists } = serve([]);
    const made = aListRow({ status: 'processing', lead_count: 0 });
    answers['POST /rest/v1/lists'] = () => {
      lists.unshift(made);
      return Response.json(made, { status: 201 });
    };
    answers['POST /api/search-leads'] = () => Promise.reject(new TypeError('connection lost'));
    const { user } = renderApp('/search');
    await startSearch(user);
    expect(await screen.findByText('Connection lost')).toBeVisible();
    expect(screen.queryByText('Search failed')).not.toBeInTheDocument();
    lists[0] = aListRow();
    const shown = await card('dentists in Springfield, IL');
    await waitFor(() => expect(shown.queryByText('Data Processing')).not.toBeInTheDocument(), { timeout: 3000 });
  });

  test.each([
    ['the server’s message', () => refused(422, 'UNKNOWN_PLACE', 'No such place.'), 'No such place.'],
    ['its status', () => refused(502, 'PROVIDER_FAILED'), 'Search failed with HTTP 502'],
    [
      'a page of a proxy',
      () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } }),
      'Server returned non-JSON response: <h1>Bad gateway</h1>',
    ],
  ])('that fails says %s', async (_name, answer, text) => {
    const { answers } = serve([]);
    answers['POST /rest/v1/lists'] = () => Response.json(aListRow({ status: 'processing' }), { status: 201 });
    answers['POST /api/search-leads'] = answer;
    const { user } = renderApp('/search');
    await startSearch(user);
    expect(await screen.findByText('Search failed')).toBeVisible();
    expect(screen.getByText(text)).toBeVisible();
  });

  test('whose list cannot be made stays in the form', async () => {
    const { answers, seen } = serve([]);
    answers['POST /rest/v1/lists'] = () =>
      Response.json({ message: 'permission denied', code: '42501' }, { status: 403 });
    const { user } = renderApp('/search');
    await fillSearch(user);
    await user.click((await dialog()).getByRole('button', { name: 'Start Search' }));
    expect(await screen.findByText('permission denied')).toBeVisible();
    expect((await dialog()).getByLabelText('Business type')).toHaveValue('dentists');
    expect(seen.some(({ path }) => path === '/api/search-leads')).toBe(false);
  });
});

describe('the lists', () => {
  test('a checked list says what its checks found, read from the verdicts alone', async () => {
    const { answers, seen } = serve([aListRow({ compliance_checked: true, compliance_cost_micros: 60_000 })]);
    answers['GET /rest/v1/leads'] = () =>
      Response.json(['safe', 'dnc', 'litigator', 'not_checked'].map((compliance_status) => ({ compliance_status })));
    renderApp('/');
    expect(await screen.findByText('3 leads checked · 1 safe · 2 flagged · $0.06')).toBeVisible();
    expect(seen.find(({ path }) => path === '/rest/v1/leads')?.query).toContain('select=compliance_status');
  });

  test('filters live in the address; nothing left offers to clear them', async () => {
    serve([aListRow()]);
    const { user, router } = renderApp('/?filter=emails');
    expect(await screen.findByText('No lists match')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByText('Showing 1-1 of 1 lists')).toBeVisible();
    await user.type(screen.getByRole('searchbox', { name: 'Search lists by name' }), 'zoo');
    expect(await screen.findByText('No lists match')).toBeVisible();
    expect(router.state.location.search).toBe('?q=zoo');
  });

  test('unreadable lists say so and are read again', async () => {
    const { answers } = serve([aListRow()]);
    const good = answers['GET /rest/v1/lists'];
    answers['GET /rest/v1/lists'] = () => Response.json({ message: 'JWT expired', code: 'PGRST301' }, { status: 401 });
    const { user } = renderApp('/');
    expect(await screen.findByText('Your lists could not be loaded', {}, { timeout: 8000 })).toBeVisible();
    if (good) answers['GET /rest/v1/lists'] = good;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: 'dentists in Springfield, IL' })).toBeVisible();
  });
});
