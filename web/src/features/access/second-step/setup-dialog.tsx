import { CodeField } from '#web/features/access/codes/code-field.tsx';
import { StepFooter } from '#web/features/access/codes/step-footer.tsx';
import { CODE_LENGTH } from '#web/features/access/codes/verify-code.ts';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { type Setup, useGiveUpSetup } from './second-step-api.ts';
import { SetupSteps } from './setup-steps.tsx';
import { useTurnOn } from './use-turn-on.ts';

/** Shows a factor that was begun, until a code of it was taken or it is given up. */
export function SetupDialog({ setup, onClose }: { setup: Setup; onClose: () => void }) {
  const { factorId } = setup;
  const { code, setCode, proving, turnOn } = useTurnOn({ factorId }, onClose);
  const givingUp = useGiveUpSetup();
  const close = () => {
    givingUp.mutate(factorId);
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : close())}>
      <DialogContent
        size="sm"
        title="Set up two-step sign-in"
        description="It takes effect once you enter a code from the app."
      >
        <form onSubmit={turnOn} noValidate className="contents">
          <DialogBody>
            <SetupSteps setup={setup} />
            <CodeField code={code} onCode={setCode} error={proving.error?.message} autoFocus />
          </DialogBody>
          <StepFooter submit="Turn on" ready={code.length === CODE_LENGTH} pending={proving.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
