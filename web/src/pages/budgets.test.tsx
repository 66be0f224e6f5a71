import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { BUDGET_IDS, type Budgets } from '#contract/money/budgets.ts';
import { ok, refused, renderApp, seedSession, stubServer } from '#web/test-app.tsx';

const NOTHING = { spentMicros: 0, reservedMicros: 0 };
const budgets = (notices: Budgets['notices'] = []): Budgets => ({
  month: '2026-11',
  notices,
  items: BUDGET_IDS.map((id) => ({
    id,
    limitMicros: null,
    adminLimitMicros: null,
    real: NOTHING,
    sandbox: NOTHING,
    ...(id === 'month' ? { limitMicros: 10_000_000, real: { spentMicros: 2_500_000, reservedMicros: 1_200_000 } } : {}),
    ...(id === 'hunter_io' ? { adminLimitMicros: 4_000_000 } : {}),
  })),
});

async function openCard(answers: Parameters<typeof stubServer>[0]) {
  seedSession();
  const seen = stubServer({ 'GET /api/keys': () => ok([]), ...answers });
  const { user } = renderApp('/settings');
  const card = within(await screen.findByRole('region', { name: 'Budgets' }));
  return { seen, user, card };
}

test('the card shows limits, what is spent and held, and what an administrator allows', async () => {
  const { card } = await openCard({ 'GET /api/budgets': () => ok(budgets()) });
  expect(await card.findByLabelText('Each month')).toHaveValue('10.00');
  expect(card.getByText('$2.50 spent · $1.20 held for runs under way · limit $10.00')).toBeVisible();
  expect(card.getByText('An administrator allows $4.00. The smaller limit applies.')).toBeVisible();
  expect(card.getByLabelText('Each run')).toHaveValue('');
});

test('limits are saved together; what cannot be read is told and sends nothing', async () => {
  const { card, user, seen } = await openCard({
    'GET /api/budgets': () => ok(budgets()),
    'PUT /api/budgets': () => ok(budgets()),
  });
  const run = await card.findByLabelText('Each run');
  for (const unreadable of ['ten', '12,50']) {
    await user.type(run, unreadable);
    await user.click(card.getByRole('button', { name: 'Save budgets' }));
    expect(card.getByText('Enter an amount in dollars, such as 25 or 12.50.')).toBeVisible();
    expect(seen.some(({ method }) => method === 'PUT')).toBe(false);
    await user.clear(run);
  }
  await user.type(run, '$1,200.5{Enter}');
  expect(await screen.findByText('Budgets saved')).toBeVisible();
  expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({
    limits: { run: 1_200_500_000, month: 10_000_000, google_places: null, hunter_io: null, searchbug: null },
  });
});

test('a refusal keeps what was typed, and budgets that cannot be read can be read again', async () => {
  let broken = true;
  const { card, user } = await openCard({
    'GET /api/budgets': () => (broken ? refused(403, 'FORBIDDEN', 'Not now.') : ok(budgets())),
    'PUT /api/budgets': () => refused(422, 'VALIDATION_FAILED', 'No.'),
  });
  expect(await card.findByText('The budgets could not be loaded')).toBeVisible();
  broken = false;
  await user.click(card.getByRole('button', { name: 'Retry' }));
  await user.type(await card.findByLabelText('Each run'), '7{Enter}');
  expect(await screen.findByText('Budgets not saved')).toBeVisible();
  expect(card.getByLabelText('Each run')).toHaveValue('7');
});

test('the dashboard tells of a spent budget until it is dismissed', async () => {
  seedSession();
  const notice = { budget: 'hunter_io', percent: 80, sandbox: false } as const;
  const seen = stubServer({
    'GET /api/keys': () => ok([]),
    'GET /rest/v1/lists': () => Response.json([]),
    'GET /api/budgets': () => ok(budgets([notice])),
    'POST /api/budgets/dismiss': () => ok(budgets()),
  });
  const { user } = renderApp('/');
  const title = '80% of your Hunter.io budget for November is spent';
  expect(await screen.findByText(title)).toBeVisible();
  await user.click(screen.getByRole('button', { name: `Dismiss: ${title}` }));
  await expect.poll(() => screen.queryByText(title)).toBeNull();
  expect(seen.find(({ path }) => path.endsWith('/dismiss'))?.body).toEqual(notice);
});

test('an address that names the budgets brings them into view once the keys above them are there', async () => {
  seedSession();
  let answerKeys = (_keys: Response) => {};
  const keys = new Promise<Response>((resolve) => {
    answerKeys = resolve;
  });
  stubServer({ 'GET /api/keys': () => keys, 'GET /api/budgets': () => ok(budgets()) });
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  renderApp('/settings#budgets');
  const card = await screen.findByRole('region', { name: 'Budgets' });
  scrolled.mockClear();
  answerKeys(ok({ apiKeys: [] }));
  await waitFor(() => expect(scrolled.mock.contexts).toEqual([card]));
});
