import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LeadCallability } from '#contract/calling/callability.ts';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import { ok, seedSession, stubServer } from '#web/test-app.tsx';
import { CallPanel } from './call-panel.tsx';

beforeEach(seedSession);
afterEach(() => void vi.useRealTimers());

const CALL: LeadCallability = {
  verdict: 'callable',
  window: { state: 'open', closesAt: new Date(2026, 10, 24, 21).toISOString() },
  zones: ['America/Chicago'],
  reasons: [],
  rulesAsOf: '2026-11-22',
  scope: 'every_line',
  notChecked: [],
};
const at = (hour: number, minute = 0) => new Date(2026, 10, 24, hour, minute).toISOString();

async function show(more: Partial<LeadCallability>) {
  stubServer({ 'GET /api/leads/lead-1/callability': () => ok({ ...CALL, ...more }) });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <CallPanel leadId="lead-1" />
    </QueryClientProvider>,
  );
  return screen.findByRole('region', { name: 'Call' });
}

test('until when calls may begin ends with the check, and stands only beside what is callable', async () => {
  expect(await show({ callFrom: at(12), callTo: at(16, 59) })).toHaveTextContent(/until .*4:59 PM, your time/);
});

test.each(['blocked', 'unknown', 'review', 'not_now'] as const)(
  '%s: open hours are no time for a call',
  async (verdict) => {
    const panel = await show({ verdict });
    expect(panel).not.toHaveTextContent(/Calls may begin|9:00 PM|Closes|Opens/);
  },
);

test('what is not callable now is told for its next time', async () => {
  expect(await show({ verdict: 'not_now', callFrom: at(8), callTo: at(20) })).toHaveTextContent(
    /from .*8:00 AM, your time/,
  );
});

test('what can no longer be read again is not shown as callable now', async () => {
  vi.useFakeTimers();
  const answers = { 'GET /api/leads/lead-1/callability': () => ok(CALL) };
  stubServer(answers);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <CallPanel leadId="lead-1" />
    </QueryClientProvider>,
  );
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(300_000);
  expect(screen.getByText('Callable now')).toBeVisible();
  answers['GET /api/leads/lead-1/callability'] = () => {
    throw new TypeError('Failed to fetch');
  };
  await pass(300_000);
  expect(screen.queryByText(/^Callable now/)).not.toBeInTheDocument();
  expect(screen.getByText('The verdict could not be loaded')).toBeVisible();
});
