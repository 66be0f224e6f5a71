import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import { CodeField } from './app-code-field.tsx';
import { type Setup, useGiveUpSetup, useProve } from './second-step-api.ts';
import { SetupSteps } from './setup-steps.tsx';
import { CODE_LENGTH } from './verify-code.ts';

/** Shows a factor that was begun, until a code of it was taken or it is given up. */
export function SetupDialog({ setup, onClose }: { setup: Setup; onClose: () => void }) {
  const [code, setCode] = useState('');
  const proving = useProve();
  const givingUp = useGiveUpSetup();
  const { factorId } = setup;
  const close = () => {
    givingUp.mutate(factorId);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    proving.mutate(
      { factorId, code },
      {
        onSuccess: () => {
          toast.success('Two-step sign-in is on', 'From now on a code is asked for after the link.');
          onClose();
        },
      },
    );
  };
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : close())}>
      <DialogContent size="sm" title="Set up two-step sign-in" description="It counts once the app’s code is taken.">
        <form onSubmit={submit} noValidate className="contents">
          <DialogBody>
            <SetupSteps setup={setup} />
            <CodeField code={code} onCode={setCode} error={proving.error?.message} autoFocus />
          </DialogBody>
          <DialogFooter>
            <DialogClose asChild>
              <Button>Cancel</Button>
            </DialogClose>
            <Button type="submit" variant="primary" disabled={code.length < CODE_LENGTH} pending={proving.isPending}>
              Turn on
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
