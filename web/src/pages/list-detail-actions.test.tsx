import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ok, refused, renderApp, seedSession } from '#web/test-app.tsx';
import { aListRow, aRun, leadRows } from '#web/test-data.ts';
import { PATH, serve, started, table } from './testing/list-detail.ts';

beforeEach(() => seedSession());

describe('export', () => {
  const saved = () => {
    const blobs: Blob[] = [];
    const names: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.push(blob);
      return 'blob:export';
    });
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    return { blobs, names };
  };

  test('a checked list exports its clean leads unless told otherwise', async () => {
    const { blobs, names } = saved();
    const verdicts = ['safe', 'dnc', 'not_checked'];
    const rows = leadRows(3, (index) => ({ compliance_status: verdicts[index], business_name: '=SUM(A1)' }));
    serve(aListRow({ compliance_checked: true, sandbox: true }), rows);
    const { user } = renderApp(PATH);
    await table();
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const form = within(await screen.findByRole('dialog'));
    expect(form.getByRole('radio', { name: 'Clean only' })).toBeChecked();
    expect(form.getByText('This list was made with a sandbox key. A column in the file says so.')).toBeVisible();
    expect(form.queryByText('This list has not been checked')).not.toBeInTheDocument();
    await user.click(form.getByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(blobs).toHaveLength(1));
    const csv = await blobs[0]?.text();
    expect(csv?.trim().split('\r\n')).toEqual([
      'Business Name,Phone,Address,Website,Compliance Status,Sandbox Data',
      "'=SUM(A1),(217) 555-0100,0 Main Street,https://business0.example/,clean,Yes",
    ]);
    expect(names[0]).toMatch(/^dentists in Springfield, IL - \d{4}-\d\d-\d\d\.csv$/);
  });

  test('an unchecked list is warned of; nothing to export cannot be downloaded', async () => {
    serve(aListRow(), leadRows(3));
    const { user } = renderApp(PATH);
    await table();
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const form = within(await screen.findByRole('dialog'));
    expect(form.getByText('This list has not been checked')).toBeVisible();
    const names = form
      .getAllByRole('radio')
      .map((radio) => document.getElementById(radio.getAttribute('aria-labelledby') ?? '')?.textContent);
    expect(names).toEqual([...new Set(names)]);
    expect(form.getByText(/You are responsible for following telemarketing law/)).toBeVisible();
    expect(
      within(form.getByRole('radiogroup', { name: 'Compliance' })).getByRole('radio', { name: 'All numbers' }),
    ).toBeChecked();
    expect(form.getByRole('button', { name: 'Download CSV' })).toBeEnabled();
    await user.click(form.getByRole('radio', { name: 'Has emails' }));
    expect(form.getByText(/leads to export/)).toHaveTextContent('0 leads to export');
    expect(form.getByRole('button', { name: 'Download CSV' })).toBeDisabled();
  });

  test('a number that came after the check is named, and the clean leads stay the default', async () => {
    const { blobs } = saved();
    const verdicts = ['safe', 'dnc', 'not_checked'];
    serve(
      aListRow(),
      leadRows(3, (index) => ({ compliance_status: verdicts[index] })),
    );
    const { user } = renderApp(PATH);
    await user.click((await table()).getByRole('checkbox', { name: 'Select Business 02' }));
    await user.click(screen.getByRole('button', { name: 'Export Selected' }));
    const selected = within(await screen.findByRole('dialog'));
    expect(await selected.findByText('1 number of this list has not been checked')).toBeVisible();
    expect(selected.getByRole('radio', { name: 'Clean only' })).toBeChecked();
    expect(selected.getByRole('button', { name: 'Download CSV' })).toBeDisabled();
    await user.click(selected.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const form = within(await screen.findByRole('dialog', { name: 'Export leads' }));
    expect(form.queryByText('This list has not been checked')).not.toBeInTheDocument();
    await user.click(form.getByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(blobs).toHaveLength(1));
    const csv = await blobs[0]?.text();
    expect(csv?.trim().split('\r\n')).toHaveLength(2);
    expect(csv).toContain(',clean');
  });

  test('chosen rows only', async () => {
    const { blobs } = saved();
    serve(aListRow(), leadRows(3));
    const { user } = renderApp(PATH);
    await user.click((await table()).getByRole('checkbox', { name: 'Select Business 02' }));
    await user.click(screen.getByRole('button', { name: 'Export Selected' }));
    const form = within(await screen.findByRole('dialog', { name: 'Export selected leads' }));
    await user.click(form.getByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(blobs).toHaveLength(1));
    const csv = await blobs[0]?.text();
    expect(csv?.trim().split('\r\n')).toHaveLength(2);
    expect(csv).toContain('Business 02');
  });
});

test('a double click copies leads once', async () => {
  const { answers, seen } = serve(aListRow(), leadRows(1));
  answers['POST /api/lists/list-1/leads/copy'] = () =>
    ok({ list_id: 'list-2', name: 'Teeth', copied: 1, skipped: 0, filled: 0, differing: 0 });
  const { user } = renderApp(PATH);
  await user.click(await screen.findByRole('button', { name: /More actions/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy to Another List' }));
  const form = within(await screen.findByRole('dialog'));
  await user.type(form.getByLabelText(/^Name of the new list/), 'Teeth');
  const button = form.getByRole('button', { name: 'Copy' });
  button.click();
  button.click();
  expect(await screen.findByText('Leads copied')).toBeVisible();
  expect(started(seen)).toHaveLength(1);
});

describe('duplicate', () => {
  const press = async (user: ReturnType<typeof renderApp>['user']) => {
    await user.click(await screen.findByRole('button', { name: /More actions/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  };

  test('makes a copy and leads to it', async () => {
    const { answers, lists, seen } = serve(aListRow(), leadRows(1));
    answers['POST /api/lists/duplicate'] = () => {
      lists.push(aListRow({ id: 'list-2', name: 'dentists (copy)' }));
      return ok({ list_id: 'list-2', name: 'dentists (copy)' });
    };
    const { user, router } = renderApp(PATH);
    await press(user);
    expect(await screen.findByText('The copy has the same leads. It cost you nothing.')).toBeVisible();
    expect(started(seen)[0]?.body).toEqual({ list_id: 'list-1' });
    await user.click(screen.getByRole('button', { name: 'Open' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'dentists (copy)' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/lists/list-2');
  });

  test('says that it is under way, and makes one copy however often it is pressed', async () => {
    const { answers, seen } = serve(aListRow(), leadRows(1));
    const answer = Promise.withResolvers<Response>();
    answers['POST /api/lists/duplicate'] = () => answer.promise;
    const { user } = renderApp(PATH);
    await press(user);
    expect(await screen.findByText('Duplicating…')).toBeVisible();
    await press(user);
    answer.resolve(ok({ list_id: 'list-2', name: 'dentists (copy)' }));
    expect(await screen.findByText('Duplicated')).toBeVisible();
    expect(screen.queryByText('Duplicating…')).toBeNull();
    expect(started(seen)).toHaveLength(1);
  });

  test('says why it was refused', async () => {
    const { answers } = serve(aListRow(), leadRows(1));
    answers['POST /api/lists/duplicate'] = () => refused(409, 'CONFLICT', 'This list is still being processed.');
    const { user } = renderApp(PATH);
    await press(user);
    expect(await screen.findByText('Duplicate failed')).toBeVisible();
    expect(screen.getByText('This list is still being processed.')).toBeVisible();
  });

  test('waits while the list is worked on', async () => {
    serve(aListRow({ status: 'processing' }), leadRows(1));
    const { user } = renderApp(PATH);
    await user.click(await screen.findByRole('button', { name: /More actions/ }));
    expect(await screen.findByRole('menuitem', { name: 'Duplicate' })).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('where values come from', () => {
  const AT = '2026-11-20T10:00:00Z';
  const run = { id: 'run-9', kind: 'enrichment', listId: 'list-2', listName: 'Roofers' };

  test('a name opens provider, call, time and run of each value', async () => {
    const row = { email: 'hello@business0.example', email_confidence: 95 };
    const { answers } = serve(
      aListRow({ tier2_complete: true }),
      leadRows(1, () => row),
    );
    answers['GET /api/leads/lead-0/provenance'] = () =>
      ok({
        provenance: [
          {
            part: 'email',
            provider: 'hunter_io',
            subject: 'business0.example',
            at: AT,
            costMicros: 50_000,
            sandbox: false,
          },
        ].map((one) => ({ ...one, callId: 'call-1', run, remembered: true })),
        file: null,
      });
    const { user, router } = renderApp(PATH);
    await user.click(await screen.findByRole('button', { name: 'Business 00' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Business 00' }));
    const email = await sheet.findByRole('region', { name: 'Email' });
    const showRun = await within(email).findByRole('button', { name: 'Show run' });
    expect(email).toHaveTextContent(/Hunter\.io, Nov 20, 2026.*paid for by “Roofers”, \$0\.05 for business0\.example/);
    expect(within(sheet.getByRole('region', { name: 'Compliance' })).getByText('Not checked')).toBeVisible();
    await user.click(showRun);
    expect(router.state.location.search).toContain('run=run-9');
  });

  test('what lost answers may have cost leads to the run in which it is settled', async () => {
    const runs = [
      aRun({ id: 'run-3', kind: 'compliance', state: 'running', uncertainMicros: 20_000 }),
      aRun({ id: 'run-2', kind: 'compliance' }),
      aRun({ id: 'run-1', kind: 'compliance', uncertainMicros: 40_000 }),
    ];
    serve(aListRow({}), leadRows(3), runs);
    const { user, router } = renderApp(PATH);
    expect(await screen.findByText(/\$0\.04 may have been charged for results that did not arrive/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Settle' }));
    expect(router.state.location.search).toContain('run=run-1');
  });

  test('a search that is to go on by itself says so, and can be stopped, also after other work on its list', async () => {
    const search = aRun({
      id: 'run-1',
      state: 'failed',
      resumeAt: '2026-12-01T08:05:00Z',
      finishedAt: '2026-11-30T12:00:00Z',
    });
    const checked = aRun({ id: 'run-2', kind: 'compliance', finishedAt: '2026-11-30T12:01:00Z' });
    const { answers, seen } = serve(aListRow({}), leadRows(3), [checked, search]);
    answers['POST /api/runs/run-1/cancel'] = () => ok({ cancelled: true });
    const { user } = renderApp(PATH);
    expect(await screen.findByText(/It continues by itself on/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Do not continue' }));
    await waitFor(() => expect(started(seen)).toMatchObject([{ path: '/api/runs/run-1/cancel' }]));
  });

  test('only the verdicts that have run out are offered to be checked again, with their price first', async () => {
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    const ages = [1, 40, 60];
    const verdicts = leadRows(3, (index) => ({
      compliance_status: 'safe',
      compliance_checked_at: days(ages[index] ?? 0),
    }));
    const { answers, seen } = serve(aListRow({ compliance_checked: true, compliance_expires_at: days(9) }), verdicts);
    const counted = { leads: 2, withoutPhone: 0, notUs: 0, toCheck: 2, expired: 2, known: 0, lost: 0 };
    answers['POST /api/compliance/estimate'] = () => ok({ ...counted, boundMicros: 40_000 });
    answers['POST /api/compliance'] = () => ok({ total: 3, safe: 3, flagged: 0, cost: 0.04 });
    const { user } = renderApp(PATH);
    expect(await screen.findByText(/2 verdicts are older than 31 days and count as not checked/)).toBeVisible();
    expect(screen.getByText(/1 lead checked · 1 safe/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Re-check only the expired' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText(/2 US numbers to check, 2 of them expired/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Check Compliance' }));
    await waitFor(() =>
      expect(started(seen)[0]?.body).toMatchObject({ list_id: 'list-1', matching: { verdict: 'expired' } }),
    );
  });
});

test('all that match are checked as those that were counted', async () => {
  const { answers, seen } = serve(aListRow(), leadRows(3));
  const words = 'Your selection has changed: it fits other leads now than before. Select them again.';
  answers['POST /api/compliance'] = () => refused(409, 'CONFLICT', words);
  const { user } = renderApp(PATH);
  await user.click((await table()).getByRole('checkbox', { name: 'Select all leads of this page' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Business 00' }));
  await user.click(screen.getByRole('button', { name: 'Select all 3' }));
  const bar = within(screen.getByRole('region', { name: 'Selected leads' }));
  await user.click(bar.getByRole('button', { name: 'Check Compliance' }));
  const confirm = within(await screen.findByRole('alertdialog'));
  await user.click(confirm.getByRole('button', { name: 'Check Compliance' }));
  expect(await screen.findByText(words)).toBeVisible();
  expect(started(seen).map(({ body }) => body)).toEqual([
    expect.objectContaining({ list_id: 'list-1', matching: {}, digest: 'lead-0 lead-1 lead-2' }),
  ]);
});
