import { act, screen, waitFor, within } from '@testing-library/react';
import { toast } from 'sonner';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ListRow } from '#contract/lists.ts';
import type { Run } from '#contract/runs.ts';
import { ok, refused, renderApp, seedSession, stubServer, TEST_USER } from '#web/test-app.tsx';
import { aListRow, aRun, leadRows } from '#web/test-data.ts';

// Typing and dialogs take their time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

beforeEach(() => {
  // Toasts belong to the page, not to what a test renders: without this one would see those of the test before.
  toast.dismiss();
  seedSession();
});

type Connected = { google_places?: boolean; hunter_io?: boolean; searchbug?: boolean };
const ALL_KEYS: Connected = { google_places: true, hunter_io: true, searchbug: true };

/** A server with these lists; `lists` and `runs` may be changed during a test. */
function serve(lists: ListRow[], { runs = [], keys = ALL_KEYS }: { runs?: Run[]; keys?: Connected } = {}) {
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /rest/v1/lists': () => Response.json(lists),
    'GET /rest/v1/leads': () => Response.json(leadRows(3)),
    'GET /api/runs': () => ok({ runs }),
    'GET /api/keys': () =>
      ok({ apiKeys: Object.entries(keys).map(([provider, isConnected]) => ({ provider, isConnected })) }),
  };
  return { answers, lists, runs, seen: stubServer(answers) };
}

const card = async (name: string) => {
  const link = await screen.findByRole('link', { name });
  const article = link.closest('article');
  if (!article) throw new Error(`${name} has no card`);
  return within(article);
};
const dialog = async () => within(await screen.findByRole('dialog'));

type User = ReturnType<typeof renderApp>['user'];

async function fillSearch(user: User) {
  const form = await dialog();
  await user.type(form.getByLabelText('Business type'), 'dentists');
  await user.type(form.getByLabelText('Location'), 'Springfield, IL');
}

/** A double click, as impatient people do: it must count once. */
async function startSearch(user: User) {
  await fillSearch(user);
  await user.dblClick((await dialog()).getByRole('button', { name: 'Start Search' }));
}

describe('whether one can search', () => {
  test('with a places key', async () => {
    serve([]);
    renderApp('/');
    expect(await screen.findByText('Ready to search')).toBeVisible();
    expect(await screen.findByText('No lists yet')).toBeVisible();
    expect(screen.getByText('Get started by searching for leads')).toBeVisible();
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
    });

    lists[0] = aListRow();
    end(ok({ leads: leadRows(48) }));
    expect(await screen.findByText('48 leads found.')).toBeVisible();
    await waitFor(() => expect(shown.getByRole('button', { name: /Add Emails & Contacts/ })).toBeVisible());
    expect(posts()).toHaveLength(1);
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

describe('a failed list', () => {
  test('says why and repeats what failed, after its cost was shown', async () => {
    const failed = aRun({ kind: 'enrichment', state: 'failed', errorMessage: 'Hunter has no credit left.' });
    const { answers, seen } = serve([aListRow({ status: 'failed' })], { runs: [failed] });
    answers['POST /api/enrich/emails'] = () =>
      ok({ total_domains_processed: 40, leads_updated: 30, emails_added: 30, contacts_added: 20, cost: 1.5 });
    const { user } = renderApp('/');
    const shown = await card('dentists in Springfield, IL');
    expect(await shown.findByText('Hunter has no credit left.')).toBeVisible();
    expect(shown.getByText('Enrichment Failed')).toBeVisible();
    await user.click(shown.getByRole('button', { name: /Retry/ }));
    const confirm = within(await screen.findByRole('alertdialog'));
    expect(confirm.getByText('At most · 48 leads × $0.05')).toBeVisible();
    expect(confirm.getByText('$2.40')).toBeVisible();
    await user.dblClick(confirm.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('30 emails and 20 contacts added. Cost: $1.50.')).toBeVisible();
    const posts = seen.filter(({ method, path }) => method === 'POST' && !path.endsWith('/estimate'));
    expect(posts.map(({ path, body }) => [path, body])).toEqual([['/api/enrich/emails', { list_id: 'list-1' }]]);
  });

  test('whose search is not known offers a new one, and no price', async () => {
    serve([aListRow({ status: 'failed', lead_count: 0, tier1_complete: false, search_params: {} })], {});
    const { user } = renderApp('/');
    await user.click((await card('dentists in Springfield, IL')).getByRole('button', { name: /Retry/ }));
    const notice = within(await screen.findByRole('alertdialog', { name: 'This search can’t be retried' }));
    expect(notice.queryByText(/\$/)).not.toBeInTheDocument();
    await user.click(notice.getByRole('button', { name: 'New Search' }));
    expect((await dialog()).getByLabelText('Business type')).toHaveValue('');
  });
});

describe('enrichment', () => {
  const open = async (keys: Connected) => {
    const served = serve([aListRow()], { keys });
    const { user } = renderApp('/');
    await user.click(
      (await card('dentists in Springfield, IL')).getByRole('button', { name: /Add Emails & Contacts/ }),
    );
    return { ...served, user, form: await dialog() };
  };

  test('with the add-on: e-mails and compliance are asked for at once, each once', async () => {
    const { answers, seen, user, form } = await open(ALL_KEYS);
    answers['POST /api/enrich/emails'] = () => new Promise(() => {});
    answers['POST /api/compliance'] = () => ok({ total: 48, safe: 40, flagged: 8, cost: 0.96 });
    expect(form.getByRole('checkbox', { name: /Emails & contacts/ })).toBeChecked();
    const addOn = form.getByRole('checkbox', { name: /compliance check/ });
    expect(addOn).not.toBeChecked();
    await user.click(addOn);
    expect(form.getByText('$3.36')).toBeVisible();
    await user.dblClick(form.getByRole('button', { name: 'Start Enrichment' }));
    expect(await screen.findByText('48 numbers: 40 safe, 8 flagged. Cost: $0.96.')).toBeVisible();
    const posts = seen.filter(({ method, path }) => method === 'POST' && !path.endsWith('/estimate'));
    expect(posts.map(({ path }) => path)).toEqual(['/api/enrich/emails', '/api/compliance']);
  });

  test('says what is known already, and what it will not exceed; or that this could not be counted', async () => {
    const { answers, user, form } = await open(ALL_KEYS);
    expect(await form.findByText(/could not be counted. The estimate holds/)).toBeVisible();
    expect(form.getByRole('button', { name: 'Start Enrichment' })).toBeEnabled();
    const counted = { leads: 48, withoutWebsite: 8, onSharedHost: 0, toLookUp: 31, known: 9, boundMicros: 1_550_000 };
    answers['POST /api/enrich/estimate'] = () => ok(counted);
    await user.click(form.getByRole('button', { name: 'Count again' }));
    expect(await form.findByText('48 leads · 31 domains to look up · 9 already known')).toBeVisible();
    expect(form.getByText('Will not exceed')).toBeVisible();
    expect(form.getByText('$1.55')).toBeVisible();

    const checks = {
      leads: 48,
      withoutPhone: 0,
      notUs: 0,
      toCheck: 2,
      expired: 1,
      known: 46,
      lost: 0,
      boundMicros: 35_000,
    };
    answers['POST /api/compliance/estimate'] = () => ok(checks);
    await user.click(form.getByRole('checkbox', { name: /compliance check/ }));
    await user.click(form.getByRole('button', { name: 'Count again' }));
    expect(
      await form.findByText('48 leads · 2 US numbers to check, 1 of them expired · 46 already known'),
    ).toBeVisible();
    expect(form.getByText('$1.59')).toBeVisible();
  });

  test('nothing chosen starts nothing', async () => {
    const { user, form } = await open(ALL_KEYS);
    await user.click(form.getByRole('checkbox', { name: /Emails & contacts/ }));
    expect(form.getByText('Select at least one enrichment option')).toBeVisible();
    expect(form.getByRole('button', { name: 'Start Enrichment' })).toBeDisabled();
  });

  test('a missing key is named and can be connected', async () => {
    const { user, form } = await open({ google_places: true, hunter_io: true, searchbug: false });
    expect(form.getByText('SearchBug API key is missing.')).toBeVisible();
    expect(form.getByRole('checkbox', { name: /compliance check/ })).toBeDisabled();
    await user.click(form.getByRole('button', { name: 'Connect SearchBug' }));
    expect(await screen.findByRole('dialog', { name: 'Connect SearchBug' })).toBeVisible();
  });

  test('that the server refuses for its key offers to connect it', async () => {
    const { answers, user, form } = await open(ALL_KEYS);
    answers['POST /api/enrich/emails'] = () => refused(400, 'MISSING_API_KEY');
    await user.click(form.getByRole('button', { name: 'Start Enrichment' }));
    expect(await screen.findByText('Enrichment failed')).toBeVisible();
    expect(screen.getByText('Hunter.io API key is missing. Add it in Settings > API Providers.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Connect key' }));
    expect(await screen.findByRole('dialog', { name: /Hunter.io/ })).toBeVisible();
  });
});

describe('changing a list', () => {
  const menu = async (user: User, item: string) => {
    await user.click((await card('dentists in Springfield, IL')).getByRole('button', { name: /More actions/ }));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };

  test('rename trims, and can be undone', async () => {
    const { answers, lists, seen } = serve([aListRow()]);
    answers['PATCH /rest/v1/lists'] = ({ body }) => {
      lists[0] = aListRow(body as Partial<ListRow>);
      return Response.json([{ id: 'list-1' }]);
    };
    const { user } = renderApp('/');
    await menu(user, 'Rename');
    const form = await dialog();
    const field = form.getByLabelText('List name');
    await user.clear(field);
    await user.type(field, '   ');
    expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
    await user.type(field, ' Teeth {Enter}');
    expect(await screen.findByText('List name updated successfully.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Teeth' })).toBeVisible();
    expect(seen.find(({ method }) => method === 'PATCH')).toMatchObject({
      query: expect.stringContaining('id=eq.list-1'),
      body: { name: 'Teeth', updated_at: expect.any(String) },
    });
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('link', { name: 'dentists in Springfield, IL' })).toBeVisible();
  });

  test('archive moves it at once, and back when refused', async () => {
    const { answers } = serve([aListRow()]);
    let refuse: (answer: Response) => void = () => {};
    answers['PATCH /rest/v1/lists'] = () =>
      new Promise((resolve) => {
        refuse = resolve;
      });
    const { user } = renderApp('/');
    await menu(user, 'Archive List');
    expect(await screen.findByText('No active lists')).toBeVisible();
    refuse(Response.json({ message: 'The database is away.' }, { status: 503 }));
    expect(await screen.findByText('Archive failed')).toBeVisible();
    expect(screen.getByText('The database is away.')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'dentists in Springfield, IL' })).toBeVisible();
  });

  test('archived', async () => {
    const { answers, lists } = serve([aListRow()]);
    answers['PATCH /rest/v1/lists'] = ({ body }) => {
      lists[0] = aListRow(body as Partial<ListRow>);
      return Response.json([{ id: 'list-1' }]);
    };
    const { user, router } = renderApp('/');
    await menu(user, 'Archive List');
    expect(await screen.findByText('Will be permanently deleted in 30 days.')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: /Archived/ }));
    expect(router.state.location.search).toBe('?view=archived');
    const shown = await card('dentists in Springfield, IL');
    expect(shown.getByText('Deletes in 30 days')).toBeVisible();
    expect(shown.queryByRole('button', { name: /Add Emails/ })).not.toBeInTheDocument();
  });

  test('delete asks first, naming the list; a double click deletes once', async () => {
    const { answers, lists, seen } = serve([aListRow()]);
    answers['DELETE /rest/v1/lists'] = () => {
      lists.pop();
      return new Response(null, { status: 204 });
    };
    const { user } = renderApp('/');
    await menu(user, 'Delete');
    const confirm = await screen.findByRole('alertdialog');
    expect(confirm).toHaveTextContent(
      'Are you sure you want to delete “dentists in Springfield, IL”? This action cannot be undone.',
    );
    const proceed = within(confirm).getByRole('button', { name: 'Proceed' });
    act(() => {
      proceed.click();
      proceed.click();
    });
    expect(await screen.findByText('List has been deleted.')).toBeVisible();
    expect(await screen.findByText('No lists yet')).toBeVisible();
    expect(seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
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
    expect(await screen.findByText('Your lists could not be read', {}, { timeout: 8000 })).toBeVisible();
    if (good) answers['GET /rest/v1/lists'] = good;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: 'dentists in Springfield, IL' })).toBeVisible();
  });
});
