import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Button } from './button.tsx';

/** Sends either by its form, or by a click alone, after a check that takes a turn as long as none is shown. */
function Sender({ send, byForm }: { send: () => Promise<void>; byForm: boolean }) {
  const sending = useMutation({ mutationFn: send });
  const start = () => void Promise.resolve().then(() => sending.mutate());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <Button type={byForm ? 'submit' : 'button'} pending={sending.isPending} onClick={byForm ? undefined : start}>
        Send
      </Button>
    </form>
  );
}

test.each([true, false])(
  'two presses without a pause send once, and another one later again; by a form: %s',
  async (byForm) => {
    const work = Promise.withResolvers<void>();
    const send = vi.fn(() => work.promise);
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Sender send={send} byForm={byForm} />
      </QueryClientProvider>,
    );
    const button = screen.getByRole('button', { name: 'Send' });
    button.click();
    button.click();
    await Promise.resolve();
    button.click();
    await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'true'));
    button.click();
    work.resolve();
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
    expect(send).toHaveBeenCalledTimes(1);
    await userEvent.click(button);
    await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  },
);
