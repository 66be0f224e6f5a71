import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { RUN_HEADER } from '#contract/work/runs.ts';
import { writeUnderWay } from '#web/features/lists/lists-under-way.ts';
import { refused, renderApp, seedSession, TEST_USER } from '#web/test-app.tsx';
import { aListRow, aRun } from '#web/test-data.ts';
import { dialog, serve, type User } from './testing/dashboard.ts';

beforeEach(() => {
  sessionStorage.clear();
  seedSession();
});

/** The answer about a run that has ended. */
const ofRun = (run: string, data: object) => Response.json({ success: true, data }, { headers: { [RUN_HEADER]: run } });

async function check(user: User): Promise<void> {
  await user.click(await screen.findByRole('button', { name: /Check Compliance/ }));
  const confirm = within(await screen.findByRole('alertdialog'));
  await user.click(confirm.getByRole('button', { name: 'Check Compliance' }));
}

test('the second of two quick runs is told although the news of the first is still to be seen', async () => {
  const { answers } = serve([aListRow()]);
  const answer = [
    () => ofRun('run-1', { total: 0, safe: 0, flagged: 0, cost: 0.02 }),
    () => ofRun('run-2', { total: 1, safe: 1, flagged: 0, cost: 0.02 }),
  ].values();
  answers['POST /api/compliance'] = () => answer.next().value?.() ?? Response.error();
  const { user } = renderApp('/lists/list-1');
  await check(user);
  expect(await screen.findByText('Nothing could be checked')).toBeInTheDocument();
  await check(user);
  expect(await screen.findByText('Compliance check complete')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText('Nothing could be checked')).not.toBeInTheDocument());
});

test('a run that fails while one is elsewhere is told once, with its list and the way there, whichever news comes first', async () => {
  const failed = aRun({
    id: 'run-9',
    kind: 'enrichment',
    state: 'failed',
    errorCode: 'UNAVAILABLE',
    errorMessage: 'Hunter is down.',
    createdAt: '2026-11-01T12:00:00Z',
    finishedAt: '2026-11-01T12:01:00Z',
  });
  const { answers, lists, runs } = serve([aListRow({ name: 'Dentists' })]);
  const answer = Promise.withResolvers<Response>();
  answers['POST /api/enrich/emails'] = () => answer.promise;
  answers['GET /auth/v1/user'] = () => Response.json({});
  const { user, router } = renderApp('/lists/list-1');
  await user.click(await screen.findByRole('button', { name: /Add Emails/ }));
  await user.click((await dialog()).getByRole('button', { name: 'Start Enrichment' }));
  lists[0] = aListRow({ name: 'Dentists', status: 'processing' });
  await router.navigate('/account');
  await screen.findByRole('heading', { name: 'Account Settings' });

  // The answer comes first: what is heard of the run afterwards adds nothing, and takes nothing away.
  writeUnderWay(TEST_USER.id, { 'list-1': '2026-11-01T12:00:00Z' });
  runs.push(failed);
  lists[0] = aListRow({ name: 'Dentists', status: 'failed' });
  answer.resolve(
    Response.json(
      { success: false, error: 'UNAVAILABLE', message: 'Hunter is down.' },
      { status: 503, headers: { [RUN_HEADER]: 'run-9' } },
    ),
  );
  expect(await screen.findByText('Enrichment failed')).toBeInTheDocument();
  expect(screen.getByText('Dentists')).toBeInTheDocument();
  expect(screen.getByText('Hunter is down.')).toBeInTheDocument();
  await router.navigate('/usage');
  await screen.findByRole('heading', { name: /Usage/ });
  expect(screen.getAllByText('Enrichment failed')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'View list' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/lists/list-1'));
});

test('a refusal of another key is told with what mends it, and, elsewhere, with the way to the list', async () => {
  const { answers } = serve([aListRow({ name: 'Dentists' })]);
  answers['POST /api/enrich/emails'] = () => refused(422, 'PROVIDER_BAD_CREDENTIALS', 'Hunter rejected this key.');
  const { user } = renderApp('/');
  await user.click(await screen.findByRole('button', { name: /Add Emails/ }));
  await user.click((await dialog()).getByRole('button', { name: 'Start Enrichment' }));
  expect(await screen.findByText('Hunter rejected this key.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'View list' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Update key' }));
  expect(await screen.findByRole('dialog', { name: /Hunter.io/ })).toBeVisible();
});
