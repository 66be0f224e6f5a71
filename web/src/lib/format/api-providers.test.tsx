import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { MISSING_KEY } from '#contract/providers.ts';
import type { Run } from '#contract/work/runs.ts';
import { card, serve as serveDashboard } from '#web/pages/testing/dashboard.ts';
import { PATH, serve } from '#web/pages/testing/list-detail.ts';
import { ok, refused, renderApp, seedSession, stubServer } from '#web/test-app.tsx';
import { aListRow, aRun, leadRows, NO_USAGE } from '#web/test-data.ts';

beforeEach(seedSession);

const REFUSED: Run = aRun({
  kind: 'enrichment',
  state: 'failed',
  errorCode: 'MISSING_API_KEY',
  errorMessage: MISSING_KEY.hunter_io,
});
const FAILED = aListRow({ status: 'failed' });
const WAY = { name: 'Settings > API Providers' };
const ADDRESS = '/settings#api-providers';

test('a failure that names the place leads there from the list', async () => {
  serve(FAILED, leadRows(3), [REFUSED]);
  renderApp(PATH);
  expect(await screen.findByRole('link', WAY)).toHaveAttribute('href', ADDRESS);
});

test('and from its card', async () => {
  serveDashboard([FAILED], { runs: [REFUSED] });
  renderApp('/');
  expect(await (await card(FAILED.name)).findByRole('link', WAY)).toHaveAttribute('href', ADDRESS);
});

test('and from a toast', async () => {
  stubServer({
    'GET /api/usage': () => ok({ ...NO_USAGE, known: ['real'], totals: { ...NO_USAGE.totals, calls: 1 } }),
    'GET /api/usage/runs': () => ok({ runs: [], next: null }),
    'GET /api/usage/meters': () => ok({ connected: ['hunter_io'], meters: [] }),
    'POST /api/usage/meters': () => refused(400, 'MISSING_API_KEY', MISSING_KEY.hunter_io),
  });
  const { user, router } = renderApp('/usage');
  await user.click(await screen.findByRole('button', { name: 'Compare with Hunter.io' }));
  await user.click(await screen.findByRole('button', { name: 'Open Settings' }));
  const reached = () => `${router.state.location.pathname}${router.state.location.hash}`;
  await waitFor(() => expect(reached()).toBe(ADDRESS));
});
