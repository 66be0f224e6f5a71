import { screen, waitFor } from '@testing-library/react';
import { toast } from 'sonner';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Run } from '#contract/work/runs.ts';
import { readUnderWay, writeUnderWay } from '#web/features/lists/lists-under-way.ts';
import { leadAnswers } from '#web/pages/testing/leads-of-list.ts';
import { ok, renderApp, seedSession, stubServer, TEST_USER } from '#web/test-app.tsx';
import { aListRow, aRun, leadRows } from '#web/test-data.ts';

beforeEach(() => {
  toast.dismiss();
  seedSession();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const LONG = { kind: 'enrichment', createdAt: '2026-11-01T12:00:00Z', finishedAt: '2026-11-01T12:01:00Z' } as const;

/** A list that was under way when this browser last looked, and has ended since. */
function ended(run: Partial<Run>) {
  writeUnderWay(TEST_USER.id, { 'list-1': '2026-11-01T12:00:00Z' });
  stubServer({
    'GET /rest/v1/lists': () => Response.json([aListRow({ name: 'dentists' })]),
    ...leadAnswers(aListRow(), leadRows(1)),
    'GET /api/keys': () => ok({ apiKeys: [] }),
    'GET /api/runs': () => ok({ runs: [aRun({ ...LONG, ...run })] }),
  });
}
const nothingUnderWay = () => waitFor(() => expect(readUnderWay(TEST_USER.id)).toEqual({}));

test('the end of a long run is told on any page, once, with the way to its list', async () => {
  ended({});
  const { user, router } = renderApp('/account');
  // A notice fades in.
  await waitFor(() => expect(screen.getByText('Enrichment complete')).toBeVisible());
  expect(screen.getAllByText('dentists')).toHaveLength(1);
  await nothingUnderWay();
  await user.click(screen.getByRole('button', { name: 'View list' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/lists/list-1'));
});

test('a failure is told with its reason', async () => {
  ended({ state: 'failed', errorMessage: 'Hunter has no credit left.' });
  renderApp('/account');
  await waitFor(() => expect(screen.getByText('Enrichment failed')).toBeVisible());
  expect(screen.getByText('dentists')).toBeVisible();
  expect(screen.getByText('Hunter has no credit left.')).toBeVisible();
});

test('anyone who looks at the list sees it there', async () => {
  ended({});
  renderApp('/lists/list-1');
  await screen.findByRole('heading', { level: 1, name: 'dentists' });
  await nothingUnderWay();
  await screen.findByRole('table');
  expect(screen.queryByText('Enrichment complete')).not.toBeInTheDocument();
});

test('a hidden tab counts it in its title until it is looked at', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  ended({});
  renderApp('/account');
  await waitFor(() => expect(document.title).toBe('(1) Account Settings · Fairlead'));
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(document.title).toBe('Account Settings · Fairlead');
});
