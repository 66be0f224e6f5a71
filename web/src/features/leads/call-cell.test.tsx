import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import { ok, seedSession, stubServer } from '#web/test-app.tsx';
import { CallCell, CallsOfList } from './call-cell.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  seedSession();
});
afterEach(() => void vi.useRealTimers());

const MINUTE_MS = 60_000;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('a verdict that can no longer be read again is not shown as one of now', async () => {
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /api/lists/list-1/callability/leads': () => ok({ leads: [{ id: 'lead-1', verdict: 'callable', why: '' }] }),
  };
  stubServer(answers);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <CallsOfList value="list-1">
        <CallCell leadId="lead-1" />
      </CallsOfList>
    </QueryClientProvider>,
  );
  await pass(5 * MINUTE_MS);
  expect(screen.getByText('Callable now')).toBeVisible();
  answers['GET /api/lists/list-1/callability/leads'] = () => {
    throw new TypeError('Failed to fetch');
  };
  await pass(5 * MINUTE_MS);
  expect(screen.queryByText('Callable now')).not.toBeInTheDocument();
  expect(screen.getByText('Not read')).toBeVisible();
});
