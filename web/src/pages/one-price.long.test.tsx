import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { ok, refused, renderApp, seedSession } from '#web/test-app.tsx';
import { aListRow, aRun } from '#web/test-data.ts';
import { card, dialog, fillSearch, serve } from './testing/dashboard.ts';

// Typing and dialogs take their time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

beforeEach(() => seedSession());

const EMAILS = {
  leads: 48,
  withoutWebsite: 8,
  onSharedHost: 0,
  toLookUp: 3,
  known: 9,
  boundMicros: 150_000,
  callMicros: 50_000,
};
const CHECKS = {
  leads: 48,
  withoutPhone: 0,
  notUs: 0,
  toCheck: 3,
  expired: 0,
  known: 45,
  lost: 0,
  boundMicros: 49_503,
  callMicros: 16_501,
};
const PLACES = {
  place: 'Springfield, IL',
  lookUpMicros: 0,
  found: 57,
  unlisted: 41,
  leftOut: 0,
  boundMicros: 137_000,
  callMicros: 35_000,
};
const NAME = 'dentists in Springfield, IL';
const PATHS = { search: '/api/search-leads', enrichment: '/api/enrich/emails', compliance: '/api/compliance' } as const;

/** A dashboard with one list, failed in its last run or not, whose prices are counted. */
function open(status: 'completed' | 'failed', kind: keyof typeof PATHS = 'enrichment') {
  const runs = status === 'failed' ? [aRun({ kind, state: 'failed', errorMessage: 'It failed.' })] : [];
  const params = { businessType: 'dentists', location: 'Springfield, IL', radius: '25', maxResults: '60' };
  const { answers, seen } = serve([aListRow({ status, search_params: params })], { runs });
  answers['POST /api/enrich/estimate'] = () => ok(EMAILS);
  answers['POST /api/compliance/estimate'] = () => ok(CHECKS);
  answers['POST /api/search-leads/count'] = () => ok(PLACES);
  answers['POST /rest/v1/lists'] = () => Response.json(aListRow({ id: 'list-2', status: 'processing' }));
  for (const path of Object.values(PATHS)) answers[`POST ${path}`] = () => new Promise(() => {});
  const { user } = renderApp('/');
  const sent = () =>
    seen
      .filter(({ path }) => Object.values<string>(PATHS).includes(path))
      .map(({ body }) => (body as { max_cost?: number }).max_cost);
  const money = () =>
    seen
      .filter(({ path }) => Object.values<string>(PATHS).includes(path))
      .map(({ body }) => (body as { sandbox?: boolean }).sandbox);
  return { user, sent, money, answers };
}
type User = ReturnType<typeof open>['user'];

const DIALOGS: Record<
  string,
  {
    begin: (user: User) => Promise<ReturnType<typeof within>>;
    confirm: string;
    micros: number;
    kind?: keyof typeof PATHS;
    failed?: true;
  }
> = {
  'a check': {
    begin: async (user) => {
      await user.click((await card(NAME)).getByRole('button', { name: /Check Compliance/ }));
      return within(await screen.findByRole('alertdialog'));
    },
    confirm: 'Check Compliance',
    micros: CHECKS.boundMicros,
  },
  'an enrichment': {
    begin: async (user) => {
      await user.click((await card(NAME)).getByRole('button', { name: /Add Emails & Contacts/ }));
      return dialog();
    },
    confirm: 'Start Enrichment',
    micros: EMAILS.boundMicros,
  },
  'a search': {
    begin: async (user) => {
      await user.click(
        within(await screen.findByRole('region', { name: 'My Lists' })).getByRole('button', { name: 'New Search' }),
      );
      await fillSearch(user);
      return dialog();
    },
    confirm: 'Start Search',
    micros: PLACES.boundMicros,
  },
  ...Object.fromEntries(
    (
      [
        ['search', PLACES],
        ['enrichment', EMAILS],
        ['compliance', CHECKS],
      ] as const
    ).map(([kind, { boundMicros }]) => [
      `Retry of ${kind}`,
      {
        begin: async (user: User) => {
          await user.click((await card(NAME)).getByRole('button', { name: /Retry/ }));
          return within(await screen.findByRole('alertdialog'));
        },
        confirm: 'Retry',
        micros: boundMicros,
        kind,
        failed: true as const,
      },
    ]),
  ),
};

const inDollars = (micros: number) => `$${String(micros / 1_000_000).padEnd(4, '0')}`;

test.each(Object.entries(DIALOGS))('%s: the dialog shows to the last cent’s part what it sends', async (_name, one) => {
  const { user, sent } = open(one.failed ? 'failed' : 'completed', one.kind);
  const form = await one.begin(user);
  expect(form.getByText(/Estimated cost/)).toBeVisible();
  const row = await form.findByText('You will be charged at most');
  expect(row.nextElementSibling).toHaveTextContent(inDollars(one.micros));
  expect(form.getByLabelText('Spend at most')).toHaveAttribute('placeholder', inDollars(one.micros));
  await user.click(form.getByRole('button', { name: one.confirm }));
  await eventually(() => expect(sent()).toEqual([one.micros / 1_000_000]));
});

test.each(Object.entries(DIALOGS))(
  '%s: what is typed is what is shown and sent, and too little is refused',
  async (_name, one) => {
    const { user, sent } = open(one.failed ? 'failed' : 'completed', one.kind);
    const form = await one.begin(user);
    const row = await form.findByText('You will be charged at most');
    const field = form.getByLabelText('Spend at most');
    await user.type(field, '0.01');
    expect(await form.findByText(/^One call costs \$0\.\d+\. A lower limit buys nothing\.$/)).toBeVisible();
    expect(form.getByRole('button', { name: one.confirm })).toBeDisabled();
    // More than it can cost changes nothing.
    await user.clear(field);
    await user.type(field, '5');
    expect(row.nextElementSibling).toHaveTextContent(inDollars(one.micros));
    const cents = Math.floor(one.micros / 10_000) - 1;
    await user.clear(field);
    await user.type(field, `0.${String(cents).padStart(2, '0')}`);
    expect(row.nextElementSibling).toHaveTextContent(inDollars(cents * 10_000));
    await user.click(form.getByRole('button', { name: one.confirm }));
    await eventually(() => expect(sent()).toEqual([cents / 100]));
  },
);

test('two lookups at once: each line, and their sum, is what is sent', async () => {
  const { user, sent } = open('completed');
  await user.click((await card(NAME)).getByRole('button', { name: /Add Emails & Contacts/ }));
  const form = await dialog();
  await user.click(form.getByRole('checkbox', { name: /compliance check/ }));
  const row = await form.findByText('You will be charged at most');
  expect(row.nextElementSibling).toHaveTextContent('$0.199503');
  await user.type(form.getByLabelText('Spend at most on each'), '0.10');
  expect(row.nextElementSibling).toHaveTextContent('$0.149503');
  await user.click(form.getByRole('button', { name: 'Start Enrichment' }));
  await eventually(() => expect(sent()).toEqual([0.1, 0.049503]));
});

test.each(Object.entries(DIALOGS))(
  '%s: where a key was changed after the price was shown, it asks again with the new price and what was typed',
  async (name, one) => {
    const { user, money, answers } = open(one.failed ? 'failed' : 'completed', one.kind);
    const price = (sandbox: boolean) => {
      const times = sandbox ? 1 : 2;
      for (const [path, shown] of [
        ['/api/enrich/estimate', EMAILS],
        ['/api/compliance/estimate', CHECKS],
        ['/api/search-leads/count', PLACES],
      ] as const)
        answers[`POST ${path}`] = () => ok({ ...shown, sandbox, boundMicros: shown.boundMicros * times });
    };
    price(true);
    const form = await one.begin(user);
    await form.findByText('You will be charged at most');
    expect(form.getByText('Sandbox: no real money')).toBeVisible();
    await user.type(form.getByLabelText('Spend at most'), '0.45');
    // Toasts of the case before may still be shown.
    const words = `This would now spend real money (${name}).`;
    for (const path of Object.values(PATHS))
      answers[`POST ${path}`] = () =>
        money().length > 1 ? new Promise(() => {}) : refused(409, 'QUOTE_CHANGED', words);
    price(false);
    await user.click(form.getByRole('button', { name: one.confirm }));
    expect(await screen.findByText(words)).toBeVisible();
    const again = within(await screen.findByRole(one.confirm === 'Start Enrichment' ? 'dialog' : 'alertdialog'));
    const row = await again.findByText('You will be charged at most');
    expect(row.nextElementSibling).toHaveTextContent(inDollars(2 * one.micros));
    expect(again.queryByText('Sandbox: no real money')).not.toBeInTheDocument();
    expect(again.getByLabelText('Spend at most')).toHaveValue('0.45');
    await user.click(again.getByRole('button', { name: one.confirm === 'Start Search' ? 'Retry' : one.confirm }));
    await eventually(() => expect(money()).toEqual([true, false]));
  },
);

test('Retry of a search for a whole area says which pages are paid for again', async () => {
  const searchFor = { maxResults: 'all' as const, queries: ['dentists'], area: { kind: 'state' as const, code: 'IL' } };
  serve([aListRow({ status: 'failed' })], { runs: [aRun({ kind: 'search', state: 'failed', searchFor })] });
  const { user } = renderApp('/');
  await user.click((await card(NAME)).getByRole('button', { name: /Retry/ }));
  const form = within(await screen.findByRole('alertdialog'));
  expect(form.getByText(/a new purchase if it was paid for more than 5 days ago/)).toBeVisible();
  expect(form.queryByText(/results from the last day/)).not.toBeInTheDocument();
});
