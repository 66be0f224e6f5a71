import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Usage, UsageSums } from '#contract/money/usage.ts';
import { ok, refused, renderApp, seedSession, stubServer } from '#web/test-app.tsx';
import { NO_USAGE } from '#web/test-data.ts';

const sums = (overrides: Partial<UsageSums> = {}): UsageSums => ({ ...NO_USAGE.totals, ...overrides });
const usageOf = (overrides: Partial<Usage> = {}): Usage => ({ ...NO_USAGE, known: ['real'], ...overrides });
const spent = sums({ calls: 40, costMicros: 1_550_000, uncertain: 1, uncertainMicros: 20_000 });
const FULL = usageOf({
  totals: { ...spent, recalled: 9, savedMicros: 450_000 },
  days: [{ day: '2026-11-03', provider: 'hunter_io', costMicros: 1_550_000 }],
  providers: [{ ...spent, provider: 'hunter_io' }],
  lists: [
    { ...spent, listId: null, name: 'Roofers' },
    { ...sums({ recalled: 9, savedMicros: 450_000 }), listId: 'a', name: 'Dentists' },
    { ...sums({ calls: 1, costMicros: 32_000 }), listId: null, name: null },
  ],
  emails: { runs: 2, asked: 40, found: 31, costMicros: 1_550_000 },
});
const RUN = {
  ...spent,
  id: 'r1',
  listId: null,
  listName: 'Roofers',
  kind: 'enrichment',
  state: 'completed',
  createdAt: '2026-11-03T09:00:00Z',
};
const CHECK = { ...RUN, id: 'r3', steps: ['verifier'] };
const LOOK_UP = { ...RUN, id: 'r2', kind: 'place', listName: 'Tulsa, OK' };

const serve = (usage: Usage) =>
  stubServer({
    'GET /api/usage': () => ok(usage),
    'GET /api/usage/meters': () => ok({ meters: [], connected: ['hunter_io'] }),
    'GET /api/usage/runs': () => ok({ runs: [RUN, CHECK, LOOK_UP], next: null }),
  });
const asked = (seen: ReturnType<typeof stubServer>) =>
  seen.filter(({ path }) => path === '/api/usage').map(({ query }) => Object.fromEntries(new URLSearchParams(query)));

beforeEach(() => {
  seedSession();
});

test('the placeholder stays while there is nothing to show', async () => {
  serve(usageOf({ known: [] }));
  renderApp('/usage');
  expect(await screen.findByText('Usage analytics interface coming soon...')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Download CSV' })).not.toBeInTheDocument();
});

test('figures, the chart’s table, providers, lists that are gone, and runs', async () => {
  serve(FULL);
  renderApp('/usage?period=custom&from=2026-11-01&to=2026-11-10');
  expect((await screen.findByText('Per email found')).nextElementSibling).toHaveTextContent('$0.05');
  expect(screen.getByText('40 leads with a website, 31 with an email (78%)')).toBeVisible();
  expect(screen.getByText('1 lost result, counted as spent until settled')).toBeVisible();
  const chart = screen.getByRole('figure', { name: /Spend by day Most: \$1\.55 on Nov 3, 2026/ });
  expect(within(chart).getByRole('row', { hidden: true, name: /Nov 3, 2026 \$1\.55 \$1\.55/ })).toBeInTheDocument();
  expect(await screen.findByRole('button', { name: 'Compare with Hunter.io' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Dentists' })).toHaveAttribute('href', '/lists/a');
  expect(screen.getByRole('row', { name: /Place look-ups \$0\.03/ })).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Email enrichment of Roofers' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Email verification of Roofers' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Place look-up of Tulsa, OK' })).toBeVisible();
  // The list that is gone, in both tables; a look-up has none that could be.
  expect(screen.getAllByText('Deleted')).toHaveLength(3);
});

test('the period and the money stand in the address', async () => {
  const seen = serve({ ...FULL, known: ['real', 'sandbox'] });
  const { router, user } = renderApp('/usage?period=custom&from=2026-11-01&to=2026-11-10');
  await user.click(await screen.findByRole('radio', { name: 'Sandbox' }));
  await waitFor(() => expect(router.state.location.search).toContain('money=sandbox'));
  await waitFor(() => expect(asked(seen).at(-1)).toEqual({ from: '2026-11-01', to: '2026-11-10', money: 'sandbox' }));
});

test('days in the wrong order are not asked about', async () => {
  const seen = serve(FULL);
  renderApp('/usage?period=custom&from=2026-11-10&to=2026-11-01');
  expect(await screen.findByText('The first day is after the last day.')).toBeVisible();
  expect(asked(seen)).toEqual([]);
});

test('an empty period, sandbox money, and a failure say what they are', async () => {
  serve(usageOf({ money: 'sandbox', known: ['sandbox'] }));
  renderApp('/usage');
  expect(await screen.findByText('Nothing was used in this period')).toBeVisible();
  expect(screen.getByText('Sandbox: no real money')).toBeVisible();
});

test('what cannot be read can be read again', async () => {
  let fails = true;
  stubServer({
    'GET /api/usage': () => (fails ? refused(500, 'INTERNAL', 'Something went wrong.') : ok(usageOf({ known: [] }))),
  });
  const { user } = renderApp('/usage');
  expect(await screen.findByText('The usage could not be loaded')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Usage analytics interface coming soon...')).toBeVisible();
});
