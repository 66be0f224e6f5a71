import { Button } from '#web/ui/button.tsx';
import { DialogClose, DialogFooter } from '#web/ui/overlay/dialog.tsx';

/** The end of a form in a dialog: leave it, or go on once it is `ready`. */
export function StepFooter({ submit, ready, pending }: { submit: string; ready: boolean; pending: boolean }) {
  return (
    <DialogFooter>
      <DialogClose asChild>
        <Button>Cancel</Button>
      </DialogClose>
      <Button type="submit" variant="primary" disabled={!ready} pending={pending}>
        {submit}
      </Button>
    </DialogFooter>
  );
}
