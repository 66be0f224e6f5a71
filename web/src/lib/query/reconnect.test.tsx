import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok, renderApp, seedSession, stubServer } from '#web/test-app.tsx';
import { NO_USAGE } from '#web/test-data.ts';

beforeEach(seedSession);
afterEach(() => {
  vi.useRealTimers();
  onlineManager.setOnline(true);
});

test.each(['opened', 'used'] as const)(
  'a page that is %s while offline reads again once the network is back',
  async (how) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const lost = () => {
      throw new TypeError('Failed to fetch');
    };
    const answers: Parameters<typeof stubServer>[0] = { 'GET /api/usage': lost };
    stubServer(answers);
    const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(how === 'used');
    renderApp('/usage');
    if (how === 'used') fireEvent(window, new Event('offline'));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await screen.findByText(/could not be loaded/)).toBeVisible();
    answers['GET /api/usage'] = () => ok(NO_USAGE);
    network.mockReturnValue(true);
    fireEvent(window, new Event('online'));
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(screen.queryByText(/could not be loaded/)).not.toBeInTheDocument();
  },
);
