import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

test('news from before and after shows without the file of toasts, and errors stay until they are dismissed', async () => {
  // Another test may have brought the file of toasts.
  vi.resetModules();
  const { toast } = await import('./toast.ts');
  const { PlainToasts } = await import('./plain-toasts.tsx');
  toast.error('Not logged: Do not call', 'Its number is not suppressed.', undefined, { id: 'call 1', stays: true });
  render(<PlainToasts />);
  expect(await screen.findByText('Not logged: Do not call')).toBeVisible();
  toast.pending('2 outcomes not sent yet', 'Kept here.', 'unsent');
  expect(await screen.findByText('2 outcomes not sent yet')).toBeVisible();
  toast.dismiss('unsent');
  await expect.poll(() => screen.queryByText('2 outcomes not sent yet')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).toBeNull();
});
