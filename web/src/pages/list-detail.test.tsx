import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { SearchTotals } from '#contract/work/runs.ts';
import { ok, refused, renderApp, seedSession } from '#web/test-app.tsx';
import { aListRow, aRun, leadRows } from '#web/test-data.ts';
import { namesShown, PATH, serve, started, table } from './testing/list-detail.ts';

beforeEach(() => seedSession());

describe('the header', () => {
  test('says name, place, summary, badges, and why fewer were kept', async () => {
    const search = SearchTotals.parse({ requested: 60, found: 60, kept: 48, outsideRadius: 9, closed: 3 });
    serve(aListRow({ tier2_complete: true, sandbox: true, completeness: 65 }), leadRows(48), [aRun({ search })]);
    renderApp(PATH);
    expect(await screen.findByRole('heading', { level: 1, name: 'dentists in Springfield, IL' })).toBeVisible();
    expect(screen.getByText('48 leads').parentElement).toHaveTextContent(
      '48 leads · 65% complete · Created Nov 1, 2026',
    );
    for (const badge of ['Emails (Tier 2)', 'Contacts (Tier 2)', 'Sandbox data']) {
      expect(screen.getByText(badge)).toBeVisible();
    }
    expect(await screen.findByText('60 requested · 48 kept · 9 outside 5 miles · 3 closed')).toBeVisible();
    expect(document.title).toBe('dentists in Springfield, IL · Fairlead');
  });

  test('an unknown list', async () => {
    serve(aListRow(), []);
    renderApp('/lists/someone-elses');
    expect(await screen.findByText('List not found')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/');
  });

  test('a list without leads says why, and offers another search, filled like the last', async () => {
    // A search that found nothing has been completed, with the number of the specification.
    const search = SearchTotals.parse({ requested: 60, found: 3, closed: 3 });
    serve(aListRow({ lead_count: 0, tier1_complete: true, completeness: 45 }), [], [aRun({ search })]);
    const { user } = renderApp(PATH);
    expect(await screen.findByText('No leads found')).toBeVisible();
    expect(
      await screen.findByText('Google found 3 places, but none could be kept: 3 permanently closed.'),
    ).toBeVisible();
    expect(screen.getByText('No leads').parentElement).toHaveTextContent('No leads · Created Nov 1, 2026');
    expect(screen.queryByText(/complete/)).not.toBeInTheDocument();
    expect(screen.getByText('Try adjusting your search parameters')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Run New Search' }));
    const form = within(await screen.findByRole('dialog'));
    expect(form.getByLabelText('Business type')).toHaveValue('dentists');
  });
});

test('leads of open data name source, release and confidence in a column, which can be hidden', async () => {
  const open = {
    name: 'open:1',
    title: 'Overture Places',
    release: '2026-09-23.0',
    license: 'CDLA-Permissive-2.0',
    confidence: 0.873,
    stated: '2026-09-23.0',
    goneOn: null,
  };
  const rows = leadRows(3).map((row, index) => (index === 1 ? row : { ...row, open }));
  serve(aListRow(), rows);
  const { user } = renderApp(PATH);
  const words = /^Overture Places, release .+ does not prove that the business is open/;
  await waitFor(() => expect(screen.getAllByTitle(words)).toHaveLength(2));
  for (const cell of screen.getAllByTitle(words)) expect(cell).toHaveTextContent('Overture Places 2026-09-23.087%');
  expect((await table()).getByRole('columnheader', { name: 'Open Data' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(screen.getByRole('checkbox', { name: 'Open Data' }));
  expect((await table()).queryByText('Open Data')).not.toBeInTheDocument();
});

describe('work on the list', () => {
  test('is followed to its end, leads included', async () => {
    const totals = { requested: 60, found: 20, kept: 20 };
    const leads: unknown[] = [];
    const { lists, runs } = serve(aListRow({ status: 'processing', lead_count: 0 }), leads, [
      aRun({ state: 'running', search: SearchTotals.parse({ requested: 60 }) }),
    ]);
    renderApp(PATH);
    expect(await screen.findByText('Searching for businesses')).toBeVisible();
    leads.push(...leadRows(20));
    runs[0] = aRun({ state: 'running', search: SearchTotals.parse(totals) });
    expect(await screen.findByText('20 leads found so far', {}, { timeout: 4000 })).toBeVisible();
    expect(await screen.findByText('Business 00', {}, { timeout: 4000 })).toBeVisible();
    lists[0] = aListRow({ lead_count: 20 });
    runs[0] = aRun({ search: SearchTotals.parse(totals) });
    await waitFor(() => expect(screen.queryByText('Data Processing')).not.toBeInTheDocument(), { timeout: 4000 });
    expect(screen.getByRole('button', { name: '+ Add Emails & Contacts' })).toBeVisible();
  });

  test('that failed says why, with Retry', async () => {
    serve(aListRow({ status: 'failed' }), leadRows(2), [
      aRun({ kind: 'compliance', state: 'failed', errorMessage: 'SearchBug is out of credit.' }),
    ]);
    const { user } = renderApp(PATH);
    const notice = within(await screen.findByRole('alert'));
    expect(await notice.findByText('Compliance check failed')).toBeVisible();
    expect(notice.getByText('SearchBug is out of credit.')).toBeVisible();
    await user.click(notice.getByRole('button', { name: 'Retry' }));
    expect(within(await screen.findByRole('alertdialog')).getByText('$0.96')).toBeVisible();
  });

  test('of a selection is repeated for that selection', async () => {
    const leadIds = ['lead-0', 'lead-2'];
    const { answers, seen } = serve(aListRow({ status: 'failed' }), leadRows(3), [
      aRun({ kind: 'compliance', state: 'failed', errorMessage: 'SearchBug is out of credit.', leadIds }),
    ]);
    answers['POST /api/compliance'] = () => ok({ total: 2, safe: 2, flagged: 0, cost: 0.04 });
    const { user } = renderApp(PATH);
    await user.click(await screen.findByRole('button', { name: 'Retry' }));
    const confirm = within(await screen.findByRole('alertdialog'));
    expect(confirm.getByText('Estimated cost at list price · 2 selected leads × $0.02')).toBeVisible();
    await user.click(confirm.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('2 leads checked: 2 safe, 0 flagged. Cost: $0.04.')).toBeVisible();
    expect(started(seen)[0]?.body).toEqual({ list_id: 'list-1', lead_ids: leadIds, max_cost: 0.04 });
  });
});

describe('the table', () => {
  test('shows columns by what is known, and hostile values harmlessly', async () => {
    serve(aListRow(), [
      ...leadRows(1, () => ({ business_name: '<script>alert(1)</script>', website: 'javascript:alert(1)' })),
    ]);
    renderApp(PATH);
    expect(await (await table()).findByText('<script>alert(1)</script>')).toBeVisible();
    const headings = (await table()).getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headings).toEqual(['', 'Business Name', 'Phone', 'Address', 'Website']);
    expect(screen.queryByRole('link', { name: /Website of/ })).not.toBeInTheDocument();
    // A link would dial past the check of the call, and past its count.
    expect(screen.getByText('+1 217-555-0100').closest('a')).toBeNull();
  });

  test('shows all that enrichment and checks bring', async () => {
    const enriched = {
      email: 'ada@business0.example',
      email_confidence: 89,
      owner_name: 'Ada Sample',
      owner_title: 'Owner',
      email_verified: true,
      phone_type: 'mobile',
      compliance_status: 'litigator',
    };
    serve(
      aListRow(),
      leadRows(1, () => enriched),
    );
    renderApp(PATH);
    const shown = await table();
    for (const text of ['ada@business0.example', '89%', 'Ada Sample', 'Owner', 'Verified', 'Mobile', 'Litigator']) {
      expect(shown.getAllByText(text).at(-1)).toBeInTheDocument();
    }
    const website = shown.getByRole('link', { name: 'Website of Business 00 (opens in a new tab)' });
    expect(website).toHaveAttribute('href', 'https://business0.example/');
    expect(website).toHaveAttribute('target', '_blank');
    expect(website).toHaveAttribute('rel', expect.stringContaining('noopener'));
  });

  test('sorts by a click, ascending first, empty values last either way, and says so in the address', async () => {
    const phones = ['(217) 555-0109', null, '(217) 555-0101'];
    serve(
      aListRow(),
      leadRows(3, (index) => ({ phone: phones[index] })),
    );
    const { user, router } = renderApp(PATH);
    expect(await namesShown()).toEqual(['Business 00', 'Business 01', 'Business 02']);
    await user.click(screen.getByRole('button', { name: 'Phone' }));
    await waitFor(async () => expect(await namesShown()).toEqual(['Business 02', 'Business 00', 'Business 01']));
    expect(router.state.location.search).toBe('?sort=phone.asc');
    expect(screen.getByRole('columnheader', { name: 'Phone' })).toHaveAttribute('aria-sort', 'ascending');
    await user.click(screen.getByRole('button', { name: 'Phone' }));
    await waitFor(async () => expect(await namesShown()).toEqual(['Business 00', 'Business 02', 'Business 01']));
  });

  test('has 25 rows a page; the filter finds leads of every page', async () => {
    serve(aListRow(), leadRows(60));
    const { user, router } = renderApp(PATH);
    expect(await namesShown()).toHaveLength(25);
    expect(screen.getByText('Showing 1-25 of 60 leads')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Page 3' }));
    await waitFor(async () => expect((await namesShown())[0]).toBe('Business 50'));
    await user.type(screen.getByRole('searchbox', { name: 'Filter leads' }), 'business 07');
    expect(await screen.findByText('1 lead matches')).toBeInTheDocument();
    await waitFor(async () => expect(await namesShown()).toEqual(['Business 07']));
    expect(router.state.location.search).toBe('?q=business+07');
  });

  test('of a long list only what is shown is read', async () => {
    const { seen } = serve(aListRow({ lead_count: 1001 }), leadRows(1001));
    const { user } = renderApp(PATH);
    expect(await screen.findByText('Showing 1-25 of 1001 leads')).toBeVisible();
    for (const page of [3, 5]) await user.click(screen.getByRole('button', { name: `Page ${page}` }));
    await waitFor(async () => expect((await namesShown())[0]).toBe('Business 100'));
    const reads = seen.filter(({ path }) => path === '/rest/v1/leads').map(({ query }) => new URLSearchParams(query));
    expect(reads.map((query) => [query.get('offset'), query.get('limit')])).toEqual([
      ['0', '100'],
      ['100', '100'],
    ]);
    expect(reads[0]?.get('order')).toBe('position.asc');
  });

  test('filters stand in the address, in words, and can be taken away one by one', async () => {
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    const rows = leadRows(3, (index) => ({ compliance_status: 'safe', compliance_checked_at: days(index * 40) }));
    serve(aListRow(), rows);
    const { user, router } = renderApp(`${PATH}?verdict=expired`);
    expect(await screen.findByText('2 leads match')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Filters (1)' }));
    expect(within(screen.getByRole('dialog', { name: 'Filters' })).getByLabelText('Compliance')).toBeVisible();
    await user.type(screen.getByLabelText('ZIP code'), '123{Enter}');
    expect(screen.getByText('Enter five digits.')).toBeVisible();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Remove filter: Checked over 31 days ago' }));
    await waitFor(async () => expect(await namesShown()).toHaveLength(3));
    expect(router.state.location.search).toBe('');
  });
});

describe('chosen rows', () => {
  test('select-all takes the page; Shift takes a range; the check is for them only', async () => {
    const { answers, seen } = serve(aListRow(), leadRows(30));
    answers['POST /api/compliance'] = () => ok({ total: 3, safe: 3, flagged: 0, cost: 0.06 });
    const known = { leads: 3, withoutPhone: 0, notUs: 0, toCheck: 0, expired: 0, known: 3, lost: 0, boundMicros: 0 };
    answers['POST /api/compliance/estimate'] = () => ok(known);
    const { user } = renderApp(PATH);
    await user.click((await table()).getByRole('checkbox', { name: 'Select all leads of this page' }));
    expect(screen.getByText('25 selected')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Select all 30' }));
    expect(screen.getByText('30 selected')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Select all 30' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Clear selection' }));
    expect(screen.queryByText(/selected$/)).not.toBeInTheDocument();

    await user.click(screen.getByRole('checkbox', { name: 'Select Business 01' }));
    await user.keyboard('{Shift>}');
    await user.click(screen.getByRole('checkbox', { name: 'Select Business 03' }));
    await user.keyboard('{/Shift}');
    const bar = within(screen.getByRole('region', { name: 'Selected leads' }));
    expect(bar.getByText('3 selected')).toBeVisible();
    await user.click(bar.getByRole('button', { name: 'Check Compliance' }));
    const confirm = within(await screen.findByRole('alertdialog'));
    expect(confirm.getByText('$0.06')).toBeVisible();
    expect(await confirm.findByText('3 leads · 0 US numbers to check · 3 already known')).toBeVisible();
    expect(confirm.getByText('You will be charged nothing')).toBeVisible();
    await user.dblClick(confirm.getByRole('button', { name: 'Check Compliance' }));
    expect(await screen.findByText('3 leads checked: 3 safe, 0 flagged. Cost: $0.06.')).toBeVisible();
    expect(started(seen).map(({ body }) => body)).toEqual([
      { list_id: 'list-1', lead_ids: ['lead-1', 'lead-2', 'lead-3'], max_cost: 0 },
    ]);
  });
});

test('all that match are deleted as those that were counted, and are counted again where that is refused', async () => {
  const { answers, seen } = serve(aListRow(), leadRows(3));
  let refuse = true;
  answers['POST /api/lists/list-1/leads/delete'] = () =>
    refuse ? refused(409, 'CONFLICT', 'Your selection has changed. Select them again.') : ok({ deleted: 3 });
  const { user } = renderApp(PATH);
  const remove = async () => {
    await user.click(screen.getByRole('button', { name: 'More' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  };
  await user.click((await table()).getByRole('checkbox', { name: 'Select all leads of this page' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Business 00' }));
  await user.click(screen.getByRole('button', { name: 'Select all 3' }));
  const counts = () => seen.filter(({ path }) => path.endsWith('/leads/counts')).length;
  const before = counts();
  await remove();
  await waitFor(() => expect(counts()).toBeGreaterThan(before));
  refuse = false;
  await remove();
  expect(await screen.findByText('3 leads deleted from “dentists in Springfield, IL”.')).toBeVisible();
  expect(started(seen).map(({ body }) => body)).toEqual(
    [1, 2].map(() => ({ matching: {}, count: 3, digest: 'lead-0 lead-1 lead-2' })),
  );
});

test('on paper stand all rows that the filter leaves, and the page comes back', async () => {
  serve(aListRow(), leadRows(60));
  renderApp(PATH);
  expect(await namesShown()).toHaveLength(25);
  fireEvent(window, new Event('beforeprint'));
  expect(await namesShown()).toHaveLength(60);
  fireEvent(window, new Event('afterprint'));
  expect(await namesShown()).toHaveLength(25);
});

test('a deleted list leads back to the dashboard', async () => {
  const { answers, lists } = serve(aListRow(), leadRows(1));
  answers['DELETE /rest/v1/lists'] = () => {
    lists.pop();
    return new Response(null, { status: 204 });
  };
  const { user, router } = renderApp(PATH);
  await user.click(await screen.findByRole('button', { name: /More actions/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Proceed' }));
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
  expect(router.state.location.pathname).toBe('/');
});
