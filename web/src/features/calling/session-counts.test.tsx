import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import { ok, seedSession, stubServer } from '#web/test-app.tsx';
import { SessionCounts } from './session-counts.tsx';

beforeEach(seedSession);

const first = () => screen.queryByRole('button', { name: 'Callable now first' });

async function show({ sandbox }: { sandbox: boolean }) {
  stubServer({
    'GET /api/lists/list-1/callability': () =>
      ok({
        at: new Date().toISOString(),
        counts: { callable: 0, not_now: 0, blocked: 0, review: 0, unknown: 3 },
        opening: [],
        rulesAsOf: '2026-11-22',
      }),
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionCounts listId="list-1" sandbox={sandbox} onShowCallable={() => {}} onCallableFirst={() => {}} />
    </QueryClientProvider>,
  );
  await screen.findByText(/3 unknown/);
}

test('invented businesses are offered in no order of calls', async () => {
  await show({ sandbox: true });
  expect(screen.getByText(/none of them can be called/)).toBeVisible();
  expect(first()).not.toBeInTheDocument();
});

test('others are, before any of them was checked too', async () => {
  await show({ sandbox: false });
  expect(first()).toBeVisible();
});
