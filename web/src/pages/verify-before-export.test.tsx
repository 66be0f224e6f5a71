import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { ok, renderApp, seedSession } from '#web/test-app.tsx';
import { aListRow } from '#web/test-data.ts';
import { ALL_KEYS, card, serve } from './testing/dashboard.ts';

beforeEach(() => {
  localStorage.clear();
  seedSession();
});

const counted = { leads: 48, withoutWebsite: 0, onSharedHost: 0, toLookUp: 0, known: 0 };

async function openExport(toVerify: number, row = aListRow({ has_emails: true }), verified = 0) {
  const served = serve([row], { keys: ALL_KEYS });
  served.answers['POST /api/enrich/estimate'] = () =>
    ok({ ...counted, toVerify, verified, boundMicros: toVerify * 25_000, callMicros: 25_000 });
  const { user } = renderApp('/');
  await user.click((await card('dentists in Springfield, IL')).getByRole('button', { name: /^Export/ }));
  return { ...served, user, dialog: within(await screen.findByRole('dialog', { name: 'Export leads' })) };
}

test('an export says how many emails no one has verified, and leads to their verification', async () => {
  const { seen, user, dialog } = await openExport(41);
  expect(
    await dialog.findByText(
      '41 emails of this list were not verified in the last 30 days. Hunter can check them first, for at most $1.025.',
    ),
  ).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Verify emails…' }));
  const enrich = within(await screen.findByRole('dialog', { name: 'Enrich list' }));
  expect(enrich.getByRole('checkbox', { name: /Verify emails/ })).toBeChecked();
  expect(enrich.getByRole('checkbox', { name: /Emails & contacts/ })).not.toBeChecked();
  expect(await enrich.findByText('48 leads · 41 emails to verify')).toBeVisible();
  expect(seen.filter(({ path }) => path === '/api/enrich/emails')).toEqual([]);
});

test('one that is verified says nothing of it', async () => {
  const { dialog, seen } = await openExport(0);
  expect(await dialog.findByText('Export-safe')).toBeVisible();
  expect(seen.some(({ path }) => path === '/api/enrich/estimate')).toBe(true);
  expect(dialog.queryByRole('button', { name: 'Verify emails…' })).toBeNull();
});

test('a list without emails is not even counted', async () => {
  const { dialog, seen } = await openExport(5, aListRow({ has_emails: false }));
  expect(await dialog.findByText('Export-safe')).toBeVisible();
  expect(seen.filter(({ path }) => path === '/api/enrich/estimate')).toEqual([]);
});

test('results that another list has can be added for nothing', async () => {
  const { dialog } = await openExport(0, undefined, 3);
  expect(
    await dialog.findByText('3 emails of this list were checked on other lists. Adding the results is free.'),
  ).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Verify emails…' })).toBeVisible();
});

test('an export-safe file says what stays out before it is made, and counts what is left', async () => {
  const { answers, user, dialog } = await openExport(0, aListRow({ has_emails: false }));
  answers['POST /api/lists/list-1/export/preview'] = () => ok({ leads: 2, leftOut: 46, valuesLeftOut: 1 });
  await user.click(await dialog.findByRole('checkbox', { name: /Export-safe/ }));
  expect(
    await dialog.findByText(
      '46 leads are left out because no license lets you keep their names. 1 value is left out of the other 2.',
    ),
  ).toBeVisible();
  expect(dialog.getByText(/leads to export/)).toHaveTextContent('2 leads to export');
  expect(dialog.getByRole('button', { name: 'Download CSV' })).toBeEnabled();
});
