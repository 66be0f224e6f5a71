import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CrmPull } from '#contract/calling/suppression-sources.ts';
import { KeapSource } from './keap-source.tsx';

const settings = { publicPage: false, crmStatuses: false, crmTag: { id: '1004', name: 'Do not contact' } };
const idle: CrmPull = {
  state: 'idle',
  sandbox: false,
  startedAt: null,
  endedAt: null,
  completeAt: null,
  failure: null,
  leftOut: null,
  tagBefore: null,
  contacts: 0,
  addresses: 0,
  added: 0,
};

test.each([true, false])('beside the tag it says whether the sandbox’s people are left out: %s', (sandbox) => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <KeapSource settings={settings} pull={{ ...idle, sandbox }} />
    </QueryClientProvider>,
  );
  const said = screen.queryByText(/its people are invented, so no one is suppressed by a tag/);
  expect(said !== null).toBe(sandbox);
  expect(screen.queryByText(/Everyone who holds/) !== null).toBe(!sandbox);
});

test('what was left out is named, and so is a tag of the account before', () => {
  const leftOut = '1 opt-out could not be read: “ask at the office”.';
  render(
    <QueryClientProvider client={new QueryClient()}>
      <KeapSource settings={{ ...settings, crmTag: null }} pull={{ ...idle, leftOut, tagBefore: 'Do not contact' }} />
    </QueryClientProvider>,
  );
  expect(screen.getByText(new RegExp(leftOut))).toBeVisible();
  expect(screen.getByText(/“Do not contact” was chosen in the account that was connected before/)).toBeVisible();
});
