import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ListRow } from '#contract/work/lists.ts';
import { ok, refused, renderApp, seedSession } from '#web/test-app.tsx';
import { aListRow, aRun } from '#web/test-data.ts';
import { ALL_KEYS, type Connected, card, dialog, serve, type User } from './testing/dashboard.ts';

beforeEach(() => {
  localStorage.clear();
  seedSession();
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
    expect(confirm.getByText('Estimated cost at list price · 48 leads × $0.05')).toBeVisible();
    // What is known already could not be counted: then the estimate is what may be charged, and is sent.
    expect(await confirm.findByText('You will be charged at most')).toBeVisible();
    expect(confirm.getAllByText('$2.40')).toHaveLength(2);
    await user.dblClick(confirm.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('30 emails and 20 contacts added. Cost: $1.50.')).toBeVisible();
    const posts = seen.filter(({ method, path }) => method === 'POST' && !path.endsWith('/estimate'));
    expect(posts.map(({ path, body }) => [path, body])).toEqual([
      ['/api/enrich/emails', { list_id: 'list-1', max_cost: 2.4 }],
    ]);
  });

  test('is not said to have cost nothing before its runs are known, nor where they cannot be read', async () => {
    const failed = aRun({ kind: 'enrichment', state: 'failed', errorMessage: 'Hunter has no credit left.' });
    const { answers } = serve([aListRow({ status: 'failed' })], { runs: [failed] });
    const runs = answers['GET /api/runs'];
    answers['GET /api/runs'] = () => refused(500, 'INTERNAL');
    renderApp('/');
    const shown = await card('dentists in Springfield, IL');
    await waitFor(() => expect(shown.getByText('Enrichment Failed')).toBeVisible());
    expect(shown.queryByText(/nothing was charged/)).not.toBeInTheDocument();
    cleanup();
    renderApp('/lists/list-1');
    expect(await screen.findByText('The reason is not known yet.')).toBeVisible();
    expect(screen.queryByText(/nothing was charged/)).not.toBeInTheDocument();
    cleanup();
    if (runs) answers['GET /api/runs'] = runs;
    renderApp('/lists/list-1');
    expect(await screen.findByText('Hunter has no credit left.')).toBeVisible();
  });

  test('keeps its buttons where they are while one is pressed', async () => {
    const failed = aRun({ kind: 'enrichment', state: 'failed', errorMessage: 'Hunter has no credit left.' });
    const { answers } = serve([aListRow({ status: 'failed' })], { runs: [failed] });
    const runs = answers['GET /api/runs'];
    const { promise, resolve } = Promise.withResolvers<void>();
    answers['GET /api/runs'] = async (...asked) => {
      await promise;
      return runs ? runs(...asked) : ok([]);
    };
    const { user } = renderApp('/');
    const shown = await card('dentists in Springfield, IL');
    await user.pointer({ keys: '[MouseLeft>]', target: shown.getByRole('button', { name: /Retry/ }) });
    await act(async () => {
      resolve();
      await new Promise((passed) => setTimeout(passed, 200));
    });
    expect(shown.queryByText('Hunter has no credit left.')).not.toBeInTheDocument();
    await user.pointer({ keys: '[/MouseLeft]' });
    expect(await shown.findByText('Hunter has no credit left.')).toBeVisible();
    expect(await screen.findByRole('alertdialog')).toBeVisible();
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

  test('with the add-on: emails and compliance are asked for at once, each once', async () => {
    const { answers, seen, user, form } = await open(ALL_KEYS);
    answers['POST /api/enrich/emails'] = () => new Promise(() => {});
    answers['POST /api/compliance'] = () => ok({ total: 1248, safe: 1240, flagged: 8, cost: 0.96 });
    expect(form.getByRole('checkbox', { name: /Emails & contacts/ })).toBeChecked();
    const addOn = form.getByRole('checkbox', { name: /compliance check/ });
    expect(addOn).not.toBeChecked();
    await user.click(addOn);
    expect(form.getByText('$3.36')).toBeVisible();
    await user.dblClick(form.getByRole('button', { name: 'Start Enrichment' }));
    expect(await screen.findByText('1,248 leads checked: 1,240 safe, 8 flagged. Cost: $0.96.')).toBeVisible();
    const posts = seen.filter(({ method, path }) => method === 'POST' && !path.endsWith('/estimate'));
    expect(posts.map(({ path }) => path)).toEqual(['/api/enrich/emails', '/api/compliance']);
  });

  test('says what is known already, and what it will not exceed; or that this could not be counted', async () => {
    const { answers, user, form } = await open(ALL_KEYS);
    expect(await form.findByText(/could not be counted/)).toBeVisible();
    expect(form.getByRole('button', { name: 'Start Enrichment' })).toBeEnabled();
    const counted = { leads: 48, withoutWebsite: 8, onSharedHost: 0, toLookUp: 31, known: 9, boundMicros: 1_550_000 };
    answers['POST /api/enrich/estimate'] = () => ok(counted);
    await user.click(form.getByRole('button', { name: 'Count again' }));
    expect(await form.findByText('48 leads · 31 domains to look up · 9 already known')).toBeVisible();
    expect(form.getByText('You will be charged at most')).toBeVisible();
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
    expect(form.getByText('$1.585')).toBeVisible();
  });

  const steps = (form: Awaited<ReturnType<typeof dialog>>) => ({
    open: form.getByRole('switch', { name: 'Open data' }),
    website: form.getByRole('switch', { name: 'The business’s own website' }),
    hunter: form.getByRole('switch', { name: 'Hunter' }),
  });
  const counted = { leads: 48, withoutWebsite: 8, onSharedHost: 0, toVisit: 40, toLookUp: 0, known: 0, boundMicros: 0 };
  const sent = (seen: Awaited<ReturnType<typeof open>>['seen'], path: string) =>
    seen.filter((one) => one.path === path).map(({ body }) => body);

  test('each place to look can be switched off, the price follows, and one stays on', async () => {
    const { answers, seen, user, form } = await open(ALL_KEYS);
    answers['POST /api/enrich/estimate'] = () => ok(counted);
    answers['POST /api/enrich/emails'] = () =>
      ok({
        total_domains_processed: 40,
        leads_updated: 9,
        emails_added: 9,
        contacts_added: 0,
        websites_found: 9,
        cost: 0,
      });
    const { open: openData, website, hunter } = steps(form);
    for (const one of [openData, website, hunter]) expect(one).toBeChecked();
    await user.click(hunter);
    expect(await form.findByText('48 leads · 40 websites to visit')).toBeVisible();
    expect(form.getByText('You will be charged nothing')).toBeVisible();
    expect(form.getByRole('region', { name: 'Cost' })).toHaveTextContent(/TotalFree/);
    expect(form.queryByLabelText('Spend at most')).toBeNull();
    await user.click(openData);
    expect(website).toBeDisabled();
    await user.click(hunter);
    expect(
      form.getByText(/Owners come from Hunter alone: to ask about every lead, switch off the others/),
    ).toBeVisible();
    await user.click(website);
    expect(
      form.getByText(/Asked about every website, even where an email is known, and finds owners too/),
    ).toBeVisible();
    await user.click(website);
    await user.click(hunter);
    await user.click(form.getByRole('button', { name: 'Start Enrichment' }));
    expect(
      await screen.findByText('9 emails and 0 contacts added. Cost: $0.00. 9 websites had an address.'),
    ).toBeVisible();
    expect(sent(seen, '/api/enrich/emails')).toEqual([{ list_id: 'list-1', steps: ['website'], max_cost: 0 }]);
    expect(sent(seen, '/api/enrich/estimate').at(-1)).toEqual({ list_id: 'list-1', steps: ['website'] });
  });

  test('without a Hunter key the free places can be looked at all the same', async () => {
    const { answers, seen, user, form } = await open({ google_places: true, hunter_io: false, searchbug: false });
    answers['POST /api/enrich/estimate'] = () => ok(counted);
    answers['POST /api/enrich/emails'] = () => new Promise(() => {});
    const { open: openData, hunter } = steps(form);
    expect(hunter).not.toBeChecked();
    expect(hunter).toBeDisabled();
    expect(form.getByText('Hunter.io API key is missing.')).toBeVisible();
    expect(openData).toBeChecked();
    await user.click(form.getByRole('button', { name: 'Start Enrichment' }));
    await waitFor(() => expect(sent(seen, '/api/enrich/emails')).toMatchObject([{ steps: ['open', 'website'] }]));
  });

  test('the last choice is there the next time', async () => {
    const first = await open(ALL_KEYS);
    first.answers['POST /api/enrich/emails'] = () => new Promise(() => {});
    await first.user.click(steps(first.form).open);
    await first.user.click(first.form.getByRole('button', { name: 'Start Enrichment' }));
    await waitFor(() => expect(sent(first.seen, '/api/enrich/emails')).toHaveLength(1));
    cleanup();
    const again = steps((await open(ALL_KEYS)).form);
    expect(again.open).not.toBeChecked();
    expect(again.website).toBeChecked();
    expect(again.hunter).toBeChecked();
  });

  test('emails are verified beside what finds them, or alone, at a price of their own', async () => {
    const { answers, seen, user, form } = await open(ALL_KEYS);
    answers['POST /api/enrich/estimate'] = () =>
      ok({ ...counted, toVisit: 0, toVerify: 40, verified: 3, boundMicros: 1_000_000, callMicros: 25_000 });
    answers['POST /api/enrich/emails'] = () =>
      ok({
        total_domains_processed: 0,
        leads_updated: 0,
        emails_added: 0,
        contacts_added: 0,
        emails_verified: 40,
        emails_invalid: 4,
        cost: 1,
      });
    const cost = form.getByRole('region', { name: 'Cost' });
    await user.click(form.getByRole('checkbox', { name: /Verify emails/ }));
    expect(cost).toHaveTextContent(/Email verification 48 leads × \$0\.025\$1\.20/);
    expect(sent(seen, '/api/enrich/estimate').at(-1)).toMatchObject({
      steps: ['open', 'website', 'hunter', 'verifier'],
    });
    await user.click(form.getByRole('checkbox', { name: /Emails & contacts/ }));
    expect(await form.findByText('48 leads · 40 emails to verify · 3 already checked')).toBeVisible();
    await user.click(form.getByRole('button', { name: 'Start Enrichment' }));
    expect(await screen.findByText('Email verification complete')).toBeVisible();
    expect(screen.getByText('40 emails checked, 4 not valid. Cost: $1.00.')).toBeVisible();
    expect(sent(seen, '/api/enrich/emails')).toEqual([{ list_id: 'list-1', steps: ['verifier'], max_cost: 1 }]);
  });

  test('without a Hunter key nothing can be verified', async () => {
    const { user, form } = await open({ google_places: true, hunter_io: false, searchbug: true });
    expect(form.getByRole('checkbox', { name: /Verify emails/ })).toBeDisabled();
    // Said once, although two options need it.
    expect(form.getAllByText('Hunter.io API key is missing.')).toHaveLength(1);
    await user.click(form.getByRole('checkbox', { name: /Emails & contacts/ }));
    expect(form.getByText('Hunter.io API key is missing.')).toBeVisible();
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
