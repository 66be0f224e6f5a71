import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '#contract/work/runs.ts';
import { ok, refused, renderApp, seedSession, testSession } from '#web/test-app.tsx';
import { aListRow, aRun } from '#web/test-data.ts';
import { card, dialog, serve } from './testing/dashboard.ts';

const NAME = 'dentists in Springfield, IL';
const COUNT = { leads: 48, withoutPhone: 0, notUs: 0, toCheck: 2, expired: 0, known: 0, lost: 0, boundMicros: 40_000 };

beforeEach(() => {
  sessionStorage.clear();
  seedSession();
});

const failedRun = (run: Partial<Run>) => aRun({ state: 'failed', finishedAt: '2026-11-01T12:01:00Z', ...run });
const posts = (seen: ReturnType<typeof serve>['seen']) =>
  seen
    .filter(({ method, path }) => method === 'POST' && !/\/(estimate|counts?)$/.test(path))
    .map(({ path, body }) => [path, body]);

describe('a server error before any run exists', () => {
  test('fails the list, which says so with Retry after a reload, until work begins again', async () => {
    const { answers, seen } = serve([aListRow()]);
    answers['POST /api/compliance/estimate'] = () => ok(COUNT);
    answers['POST /api/compliance'] = () => refused(502, '');
    const { user } = renderApp('/lists/list-1');
    await user.click(await screen.findByRole('button', { name: /Check Compliance/ }));
    const confirm = within(await screen.findByRole('alertdialog'));
    await user.type(confirm.getByLabelText('Spend at most'), '0.02');
    await user.click(confirm.getByRole('button', { name: 'Check Compliance' }));
    expect(
      await screen.findByText('Compliance check failed', { selector: '[data-title] *, [data-title]' }),
    ).toBeInTheDocument();
    const notice = await screen.findByRole('alert');
    expect(notice).toHaveTextContent('Compliance failed with HTTP 502');
    expect(screen.getByText('Enrichment Failed')).toBeInTheDocument();

    // Another page of the same tab reads what this one has kept.
    const again = renderApp('/');
    const shown = await card(NAME);
    expect(shown.getByText('Compliance failed with HTTP 502')).toBeInTheDocument();
    answers['POST /api/compliance'] = () => ok({ total: 2, safe: 2, flagged: 0, cost: 0.04 });
    await again.user.click(shown.getByRole('button', { name: /Retry/ }));
    const retry = within(await screen.findByRole('alertdialog'));
    // With the limit that it was given.
    expect(retry.getByLabelText('Spend at most')).toHaveValue('0.02');
    await again.user.click(retry.getByRole('button', { name: 'Retry' }));
    await screen.findByText('Compliance check complete');
    expect(posts(seen)).toEqual([
      ['/api/compliance', { list_id: 'list-1', max_cost: 0.02 }],
      ['/api/compliance', { list_id: 'list-1', max_cost: 0.02 }],
    ]);
    expect(shown.queryByText('Compliance failed with HTTP 502')).not.toBeInTheDocument();
  });

  test('of chosen leads is remembered with the choice, and Retry after a reload repeats exactly that', async () => {
    const choice = { lead_ids: ['lead-1'] };
    const work = { kind: 'compliance', chosen: { choice, count: 1 }, spendAtMostMicros: 20_000 };
    const refusal = { work, reason: 'Compliance failed with HTTP 502', since: '2026-11-02T12:00:00Z' };
    sessionStorage.setItem(`refusals:${testSession.user.id}`, JSON.stringify({ 'list-1': [refusal] }));
    const { answers, seen } = serve([aListRow()]);
    answers['POST /api/compliance/estimate'] = () => ok({ ...COUNT, leads: 1, toCheck: 1, boundMicros: 20_000 });
    answers['POST /api/compliance'] = () => ok({ total: 1, safe: 1, flagged: 0, cost: 0.02 });
    const { user } = renderApp('/');
    await user.click((await card(NAME)).getByRole('button', { name: /Retry/ }));
    const confirm = within(await screen.findByRole('alertdialog', { name: 'Retry the compliance check?' }));
    await user.click(confirm.getByRole('button', { name: 'Retry' }));
    await screen.findByText('Compliance check complete');
    expect(posts(seen)).toEqual([['/api/compliance', { list_id: 'list-1', lead_ids: ['lead-1'], max_cost: 0.02 }]]);
  });

  test('of two parts is remembered for each, and an enrichment with where it was to look', async () => {
    const { answers, seen } = serve([aListRow()]);
    answers['POST /api/enrich/emails'] = () => refused(502, '');
    answers['POST /api/compliance'] = () => refused(502, '');
    const { user } = renderApp('/');
    await user.click((await card(NAME)).getByRole('button', { name: /Add Emails & Contacts/ }));
    const form = await dialog();
    await user.click(form.getByRole('checkbox', { name: /compliance check/ }));
    await user.click(form.getByRole('switch', { name: 'Hunter' }));
    await user.click(form.getByRole('button', { name: 'Start Enrichment' }));
    await screen.findByText('Compliance failed with HTTP 502', { selector: 'article *' });
    cleanup();

    // Another page of the same tab reads what this one has kept.
    const again = renderApp('/');
    answers['POST /api/compliance'] = () => ok({ total: 2, safe: 2, flagged: 0, cost: 0.04 });
    answers['POST /api/enrich/emails'] = () =>
      ok({
        total_domains_processed: 40,
        leads_updated: 3,
        emails_added: 3,
        contacts_added: 0,
        websites_found: 3,
        cost: 0,
      });
    const retry = async () => {
      await again.user.click(await (await card(NAME)).findByRole('button', { name: /Retry/ }));
      const confirm = within(await screen.findByRole('alertdialog'));
      await again.user.click(confirm.getByRole('button', { name: 'Retry' }));
    };
    await retry();
    await screen.findByText('Compliance check complete');
    await retry();
    await screen.findByText('3 websites had an address.', { exact: false });
    const free = ['/api/enrich/emails', { list_id: 'list-1', steps: ['open', 'website'], max_cost: 0 }];
    expect(posts(seen).filter(([path]) => path === '/api/enrich/emails')).toEqual([free, free]);
  });

  test('of a search of open data is repeated at once, because it costs nothing', async () => {
    const search_params = { businessType: 'dentist', location: 'Springfield, IL', radius: 25, source: 'open' as const };
    const { answers, seen } = serve([
      aListRow({ status: 'failed', lead_count: 0, tier1_complete: false, search_params }),
    ]);
    answers['POST /api/search-leads'] = () =>
      ok({
        place: 'Springfield, IL',
        found: 7,
        added: 7,
        duplicates: 0,
        alreadyListed: 0,
        beyondMaximum: 0,
        sources: ['OpenStreetMap'],
        leads: [],
      });
    const { user } = renderApp('/');
    await user.click((await card(NAME)).getByRole('button', { name: /Retry/ }));
    await screen.findByText('7 leads found in open data: OpenStreetMap.');
    expect(posts(seen)).toEqual([
      [
        '/api/search-leads',
        expect.objectContaining({
          list_id: 'list-1',
          source: 'open',
          queries: ['dentist'],
          location: 'Springfield, IL',
        }),
      ],
    ]);
  });

  test('is no failure when the work goes on behind it', async () => {
    const { answers, lists, runs } = serve([aListRow()]);
    answers['POST /api/enrich/emails'] = () => {
      lists[0] = aListRow({ status: 'processing', updated_at: '2026-11-02T12:00:00Z' });
      runs.push(aRun({ kind: 'enrichment', state: 'running', createdAt: '2026-11-02T12:00:00Z' }));
      return new Response('<h1>Gateway timeout</h1>', { status: 504, headers: { 'content-type': 'text/html' } });
    };
    const { user } = renderApp('/');
    await user.click((await card(NAME)).getByRole('button', { name: /Add Emails/ }));
    await user.click((await dialog()).getByRole('button', { name: 'Start Enrichment' }));
    expect(await screen.findByText('Connection lost')).toBeInTheDocument();
    const shown = await card(NAME);
    expect(await shown.findByText('Looking up websites')).toBeInTheDocument();
    expect(shown.queryByText('Enrichment Failed')).not.toBeInTheDocument();
  });

  test('a budget leaves the list as it was', async () => {
    const { answers } = serve([aListRow()]);
    answers['POST /api/enrich/emails'] = () => refused(409, 'BUDGET_EXCEEDED', 'More than the budget.');
    const { user } = renderApp('/');
    await user.click((await card(NAME)).getByRole('button', { name: /Add Emails/ }));
    await user.click((await dialog()).getByRole('button', { name: 'Start Enrichment' }));
    expect(await screen.findByText('More than the budget.')).toBeInTheDocument();
    expect((await card(NAME)).queryByText('Enrichment Failed')).not.toBeInTheDocument();
  });
});

describe('Retry', () => {
  test('repeats the refused check, not what else could be done, after its key was removed', async () => {
    const { answers, seen, runs } = serve([aListRow({ status: 'failed' })], {
      keys: { google_places: true, hunter_io: false, searchbug: true },
    });
    // As the server keeps refused work.
    const missing = { errorCode: 'MISSING_API_KEY', errorMessage: 'SearchBug API key is missing.' };
    const refusedCheck = failedRun({ kind: 'compliance', leadIds: ['lead-1'], estimateMicros: 0, ...missing });
    runs.push(refusedCheck, aRun({ id: 'older', finishedAt: '2026-11-01T11:00:00Z' }));
    answers['POST /api/compliance/estimate'] = () => ok({ ...COUNT, leads: 1, toCheck: 1, boundMicros: 20_000 });
    answers['POST /api/compliance'] = () => ok({ total: 1, safe: 1, flagged: 0, cost: 0.02 });
    const { user } = renderApp('/');
    const shown = await card(NAME);
    expect(await shown.findByText('SearchBug API key is missing.')).toBeInTheDocument();
    await user.click(shown.getByRole('button', { name: /Retry/ }));
    const confirm = within(await screen.findByRole('alertdialog', { name: 'Retry the compliance check?' }));
    expect(await confirm.findByText('You will be charged at most')).toBeInTheDocument();
    await user.click(confirm.getByRole('button', { name: 'Retry' }));
    await screen.findByText('Compliance check complete');
    expect(posts(seen)).toEqual([['/api/compliance', { list_id: 'list-1', lead_ids: ['lead-1'], max_cost: 0.02 }]]);
  });

  test.each([
    ['compliance', 'searchbug', /Check Compliance/, 'Check Compliance'],
    ['enrichment', 'hunter_io', /Add Emails/, 'Start Enrichment'],
  ] as const)('asks for a key that was removed behind the open dialog of %s', async (kind, provider, button, start) => {
    const keys = { google_places: true, hunter_io: true, searchbug: true };
    const { answers, lists, runs } = serve([aListRow()], { keys });
    answers['POST /api/compliance/estimate'] = () => ok(COUNT);
    const refusal = () => {
      lists[0] = aListRow({ status: 'failed' });
      runs.push(failedRun({ kind, errorCode: 'MISSING_API_KEY', errorMessage: 'The API key is missing.' }));
      return refused(400, 'MISSING_API_KEY', 'The API key is missing.');
    };
    answers['POST /api/compliance'] = refusal;
    answers['POST /api/enrich/emails'] = refusal;
    const { user } = renderApp('/');
    await user.click((await card(NAME)).getByRole('button', { name: button }));
    const begin = await screen.findByRole('button', { name: start });
    await waitFor(() => expect(begin).toBeEnabled());
    keys[provider] = false;
    await user.click(begin);
    const shown = await card(NAME);
    expect(await shown.findByText('The API key is missing.')).toBeVisible();
    expect(await shown.findByRole('button', { name: /Connect key/ })).toBeVisible();
  });

  test('repeats a search as its run had it, to the meter', async () => {
    const searchFor = { query: 'plumber', location: 'Austin, TX', radius: 40_000, maxResults: 20 };
    const { answers, seen } = serve([aListRow({ status: 'failed', lead_count: 0, search_params: {} })], {
      runs: [failedRun({ searchFor })],
    });
    answers['POST /api/search-leads'] = () => ok({ leads: [] });
    const { user } = renderApp('/');
    await user.click(await (await card(NAME)).findByRole('button', { name: /Retry/ }));
    const confirm = within(await screen.findByRole('alertdialog', { name: 'Retry the search?' }));
    await user.click(confirm.getByRole('button', { name: 'Retry' }));
    await screen.findByText('No leads found');
    expect(posts(seen)).toEqual([['/api/search-leads', { ...searchFor, list_id: 'list-1', max_cost: 0.34 }]]);
  });

  test('pressed before the runs have been read repeats what failed', async () => {
    const { answers, runs } = serve([aListRow({ status: 'failed' })], { runs: [failedRun({ kind: 'compliance' })] });
    answers['POST /api/compliance/estimate'] = () => ok(COUNT);
    const { promise: wasPressed, resolve: pressed } = Promise.withResolvers<void>();
    answers['GET /api/runs'] = async () => {
      await wasPressed;
      return ok({ runs });
    };
    const { user } = renderApp('/');
    await user.click(await (await card(NAME)).findByRole('button', { name: /Retry/ }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    pressed();
    await screen.findByRole('alertdialog', { name: 'Retry the compliance check?' });
  });

  test('of work that no record tells of leaves the choice to the user', async () => {
    serve([aListRow({ status: 'failed' })], { runs: [aRun({ finishedAt: '2026-11-01T12:01:00Z' })] });
    const { user } = renderApp('/');
    await user.click(await (await card(NAME)).findByRole('button', { name: /Retry/ }));
    expect(await screen.findByRole('dialog', { name: 'Enrich list' })).toBeVisible();
  });

  test('of an enrichment by free steps needs no key and says no price', async () => {
    const run = failedRun({ kind: 'enrichment', steps: ['open', 'website'] });
    const { answers, seen } = serve([aListRow({ status: 'failed' })], {
      runs: [run],
      keys: { google_places: true, hunter_io: false, searchbug: false },
    });
    answers['POST /api/enrich/estimate'] = () =>
      ok({ leads: 48, withoutWebsite: 8, onSharedHost: 0, toVisit: 40, toLookUp: 0, known: 0, boundMicros: 0 });
    answers['POST /api/enrich/emails'] = () => new Promise(() => {});
    const { user } = renderApp('/');
    await user.click(await (await card(NAME)).findByRole('button', { name: /Retry/ }));
    const confirm = within(await screen.findByRole('alertdialog'));
    expect(await confirm.findByText('48 leads · 40 websites to visit')).toBeVisible();
    expect(confirm.getByText('Free')).toBeVisible();
    await user.click(confirm.getByRole('button', { name: 'Retry' }));
    await waitFor(() =>
      expect(seen.filter(({ path }) => path === '/api/enrich/emails').map(({ body }) => body)).toMatchObject([
        { steps: ['open', 'website'], max_cost: 0 },
      ]),
    );
  });

  test.each([
    ['search', 'Google may charge for it again'],
    ['enrichment', 'Hunter charges for a website or an email once per billing period'],
    ['compliance', 'is not checked again until you settle it'],
  ] as const)('of a %s says what becomes of a lost answer', async (kind, words) => {
    serve([aListRow({ status: 'failed' })], { runs: [failedRun({ kind })] });
    const { user } = renderApp('/');
    await user.click(await (await card(NAME)).findByRole('button', { name: /Retry/ }));
    const confirm = await screen.findByRole('alertdialog');
    expect(confirm).toHaveTextContent(words);
    expect(confirm).not.toHaveTextContent('paid for twice');
  });
});

describe('what Retry alone cannot mend leads to what does', () => {
  test.each<[Run['kind'], string, string, RegExp]>([
    ['search', 'PROVIDER_BAD_CREDENTIALS', 'Update key', /Google Places/],
    ['enrichment', 'OUT_OF_CREDIT', 'Update key', /Hunter.io/],
    ['compliance', 'PROVIDER_BAD_CONFIGURATION', 'Update key', /SearchBug/],
    ['search', 'UNKNOWN_PLACE', 'Edit search', /New Search/],
  ])('%s, %s: on the card, the list page and in the run', async (kind, errorCode, label, name) => {
    const run = failedRun({ kind, errorCode, errorMessage: 'It was refused.' });
    const { answers } = serve([aListRow({ status: 'failed' })], { runs: [run] });
    answers['GET /api/runs/run-1'] = () =>
      ok({
        run: { ...run, listName: NAME, boundMicros: 0, sandbox: false, queue: null, cancelling: false, calls: {} },
      });
    answers['GET /api/runs/run-1/calls'] = () => ok({ calls: [], next: null });
    for (const path of ['/', '/lists/list-1', '/lists/list-1?run=run-1']) {
      const { user } = renderApp(path);
      const place = path.includes('run=')
        ? within(await screen.findByRole('dialog'))
        : path === '/'
          ? await card(NAME)
          : within(await screen.findByRole('alert'));
      await user.click(await place.findByRole('button', { name: new RegExp(label) }));
      const opened = within(await screen.findByRole('dialog', { name }));
      if (label === 'Edit search') expect(opened.getByLabelText('Location')).toHaveValue('Springfield, IL');
      cleanup();
    }
  });
});

describe('what cannot be done is not started, and says why', () => {
  const budget = (limitMicros: number) => ({
    id: 'month',
    limitMicros,
    adminLimitMicros: null,
    real: { spentMicros: 50_000, reservedMicros: 0 },
    sandbox: { spentMicros: 0, reservedMicros: 0 },
  });
  const emails = { leads: 48, withoutWebsite: 48, onSharedHost: 0, toLookUp: 0, known: 0, boundMicros: 0 };

  test('nothing to look up, or to check', async () => {
    const { answers } = serve([aListRow()]);
    answers['POST /api/enrich/estimate'] = () => ok(emails);
    answers['POST /api/compliance/estimate'] = () => ok({ ...COUNT, withoutPhone: 48, toCheck: 0, boundMicros: 0 });
    const { user } = renderApp('/');
    await user.click((await card(NAME)).getByRole('button', { name: /Add Emails/ }));
    const form = await dialog();
    expect(await form.findByText(/No lead has a website of its own/)).toBeVisible();
    expect(form.getByRole('button', { name: 'Start Enrichment' })).toBeDisabled();
    await user.click(form.getByRole('button', { name: 'Cancel' }));
    await user.click((await card(NAME)).getByRole('button', { name: /Check Compliance/ }));
    const confirm = within(await screen.findByRole('alertdialog'));
    expect(await confirm.findByText(/No lead has a US phone number/)).toBeVisible();
    expect(confirm.getByRole('button', { name: 'Check Compliance' })).toBeDisabled();
  });

  test('a budget that leaves nothing; what costs nothing may still be done', async () => {
    const { answers } = serve([aListRow()]);
    answers['GET /api/budgets'] = () => ok({ month: '2026-11', items: [budget(50_000)], notices: [] });
    answers['POST /api/enrich/estimate'] = () => ok({ ...emails, toLookUp: 3, boundMicros: 150_000 });
    const { user } = renderApp('/');
    await user.click((await card(NAME)).getByRole('button', { name: /Add Emails/ }));
    let form = await dialog();
    expect(await form.findByText('You have no budget left for Hunter.io.')).toBeVisible();
    expect(form.getByRole('button', { name: 'Start Enrichment' })).toBeDisabled();
    await user.click(form.getByRole('button', { name: 'Cancel' }));
    answers['POST /api/enrich/estimate'] = () => ok({ ...emails, known: 3 });
    await user.click((await card(NAME)).getByRole('button', { name: /Add Emails/ }));
    form = await dialog();
    expect(await form.findByText('You will be charged nothing')).toBeVisible();
    expect(form.getByRole('button', { name: 'Start Enrichment' })).toBeEnabled();
  });
});

test('a list without leads says so, and is not 45% complete', async () => {
  serve([aListRow({ lead_count: 0, completeness: 45 })]);
  renderApp('/');
  const shown = await card(NAME);
  expect(shown.getByText('No')).toBeVisible();
  expect(shown.queryByText(/complete/)).not.toBeInTheDocument();
  expect(shown.queryByRole('progressbar')).not.toBeInTheDocument();
});
