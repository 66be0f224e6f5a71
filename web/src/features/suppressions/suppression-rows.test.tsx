import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Suppression } from '#contract/calling/suppressions.ts';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import { seedSession, stubServer } from '#web/test-app.tsx';
import { SuppressionRows } from './suppression-rows.tsx';

beforeEach(seedSession);

const entry = (source: Suppression['source']): Suppression => ({
  id: '0b0e7c0e-30a8-4a1c-9d5d-0d8e8f3f1a11',
  kind: 'phone',
  value: '+13125550100',
  note: null,
  source,
  addedBy: null,
  addedAt: '2026-11-23T20:00:00.000Z',
  exports: { total: 0, newest: [] },
});

test.each([
  ['crm', true],
  ['hand', false],
] as const)('before an entry from %s is removed, it says whether it comes back: %s', async (source, comesBack) => {
  stubServer({});
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SuppressionRows items={[entry(source)]} canRemove />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Remove +1 312-555-0100' }));
  expect(await screen.findByRole('alertdialog')).toBeVisible();
  expect(screen.queryByText(/It came from Keap, and comes back with a later pull/) !== null).toBe(comesBack);
});
