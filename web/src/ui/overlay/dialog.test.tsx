import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Input } from '#web/ui/form/input.tsx';
import { Dialog, DialogContent } from './dialog.tsx';

function Opener({ autoFocus }: { autoFocus: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open ? (
        <Dialog open onOpenChange={setOpen}>
          <DialogContent title="Code">
            <Input aria-label="Digits" autoFocus={autoFocus} />
          </DialogContent>
        </Dialog>
      ) : null}
    </>
  );
}

test.each([false, true])(
  'gives the focus back, each time; with a field that takes it by itself: %s',
  async (autoFocus) => {
    const user = userEvent.setup();
    render(<Opener autoFocus={autoFocus} />);
    const opener = screen.getByRole('button', { name: 'Open' });
    opener.focus();
    for (let time = 0; time < 2; time++) {
      await user.keyboard('{Enter}');
      await waitFor(() => expect(screen.getByLabelText('Digits')).toHaveFocus());
      await user.keyboard('{Escape}');
      await waitFor(() => expect(opener).toHaveFocus());
    }
  },
);
