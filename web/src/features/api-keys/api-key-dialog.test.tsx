import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ApiKey } from '#contract/account/api-keys.ts';
import type { ProviderId } from '#contract/providers.ts';
import { ConfigProvider } from '#web/lib/backend/config.tsx';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import { ok, seedSession, stubServer, TEST_CONFIG } from '#web/test-app.tsx';
import { Toaster } from '#web/ui/feedback/toaster.tsx';
import { ApiKeyDialog } from './api-key-dialog.tsx';

beforeEach(seedSession);

function show(provider: ProviderId, current?: ApiKey, sandbox = false) {
  const onOpenChange = vi.fn<(open: boolean) => void>();
  const { unmount } = render(
    <ConfigProvider config={{ ...TEST_CONFIG, sandbox }}>
      <QueryClientProvider client={createQueryClient()}>
        <ApiKeyDialog provider={provider} current={current} open onOpenChange={onOpenChange} />
      </QueryClientProvider>
      <Toaster theme="dark" />
    </ConfigProvider>,
  );
  return { user: userEvent.setup(), onOpenChange, unmount };
}

const keyField = () => screen.getByLabelText('API key');

test('an empty field asks for a key and sends nothing', async () => {
  const seen = stubServer({});
  const { user, onOpenChange } = show('hunter_io');
  expect(keyField()).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Test & Save' }));
  expect(screen.getByText('Please enter an API key')).toBeVisible();
  expect(keyField()).toBeInvalid();
  expect(seen).toEqual([]);
  expect(onOpenChange).not.toHaveBeenCalled();
});

test('a good key is tested, saved and announced', async () => {
  const seen = stubServer({ 'POST /api/keys/test': () => ok({ valid: true, saved: true }) });
  const { user, onOpenChange } = show('hunter_io');
  await user.type(keyField(), '  hunter-key-1234 ');
  await user.click(screen.getByRole('button', { name: 'Test & Save' }));
  expect(await screen.findByText('Hunter.io connected')).toBeVisible();
  expect(onOpenChange).toHaveBeenCalledWith(false);
  expect(seen[0]?.body).toEqual({ provider: 'hunter_io', apiKey: 'hunter-key-1234', save: true });
});

test('a refused key stays in the field, with the reason until it is changed', async () => {
  stubServer({
    'POST /api/keys/test': () => ok({ valid: false, error: 'Hunter.io did not accept this key.', saved: false }),
  });
  const { user, onOpenChange } = show('hunter_io');
  await user.type(keyField(), 'wrong{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Hunter.io did not accept this key.');
  expect(keyField()).toHaveValue('wrong');
  expect(onOpenChange).not.toHaveBeenCalled();
  await user.type(keyField(), '2');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('an existing key is kept when the field is left empty', async () => {
  const seen = stubServer({});
  const current = { provider: 'hunter_io', isConnected: true, maskedKey: '••••1234' } as const;
  const { user, onOpenChange } = show('hunter_io', current);
  expect(screen.getByText('Leave it empty to keep the current key ••••1234.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Update' }));
  expect(onOpenChange).toHaveBeenCalledWith(false);
  expect(seen).toEqual([]);
});

test('a dialog that is closed while the key is tested stops the test', async () => {
  const seen = stubServer({ 'POST /api/keys/test': () => new Promise(() => {}) });
  const { user, unmount } = show('hunter_io');
  await user.type(keyField(), 'hunter-key-1234{Enter}');
  await waitFor(() => expect(seen).toHaveLength(1));
  expect(seen[0]?.signal?.aborted).toBe(false);
  unmount();
  expect(seen[0]?.signal?.aborted).toBe(true);
});

test('the key is hidden until asked for, and the way to get one is there', async () => {
  stubServer({});
  const { user } = show('searchbug');
  const field = screen.getByLabelText('API Key');
  expect(field).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Show key' }));
  expect(field).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Hide key' }));
  expect(field).toHaveAttribute('type', 'password');
  const link = screen.getByRole('link', { name: 'Get API Key' });
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('href', 'https://www.searchbug.com/myaccount/');
  expect(screen.queryByText(/invented data/)).not.toBeInTheDocument();
});

test.each([
  ['Account Number', '12345678:s3cret$'],
  ['API Key', 'CO_CODE=12345678;PASS=s3cret$'],
])('SearchBug’s two halves pasted into %s fill both fields, and go out as one key', async (label, text) => {
  const seen = stubServer({ 'POST /api/keys/test': () => ok({ valid: true, saved: true }) });
  const { user } = show('searchbug');
  await user.click(screen.getByLabelText(label));
  await user.paste(text);
  expect(screen.getByLabelText('Account Number')).toHaveValue('12345678');
  expect(screen.getByLabelText('API Key')).toHaveValue('s3cret$');
  await user.click(screen.getByRole('button', { name: 'Test & Save' }));
  await waitFor(() => expect(seen[0]?.body).toEqual({ provider: 'searchbug', apiKey: '12345678:s3cret$', save: true }));
});

test('one half of a SearchBug key asks for the other; the sandbox key needs none', async () => {
  const seen = stubServer({ 'POST /api/keys/test': () => ok({ valid: true, saved: true }) });
  const { user } = show('searchbug');
  await user.type(screen.getByLabelText('API Key'), 's3cret{Enter}');
  expect(screen.getByText('Please enter your SearchBug Account Number')).toBeVisible();
  expect(screen.getByLabelText('Account Number')).toBeInvalid();
  expect(seen).toEqual([]);
  await user.clear(screen.getByLabelText('API Key'));
  await user.type(screen.getByLabelText('API Key'), 'sandbox{Enter}');
  await waitFor(() => expect(seen[0]?.body).toEqual({ provider: 'searchbug', apiKey: 'sandbox', save: true }));
});

test('the sandbox key is offered only where it works', () => {
  stubServer({});
  show('hunter_io', undefined, true);
  expect(screen.getByText(/works with invented data/)).toBeVisible();
});
