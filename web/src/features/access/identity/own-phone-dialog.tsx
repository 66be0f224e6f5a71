import { type FormEvent, useState } from 'react';
import { PhoneField } from '#web/features/access/codes/phone-field.tsx';
import { StepFooter } from '#web/features/access/codes/step-footer.tsx';
import { TextedCode } from '#web/features/access/codes/texted-code.tsx';
import { useTypedPhone } from '#web/features/access/codes/use-typed-phone.ts';
import { CODE_LENGTH } from '#web/features/access/codes/verify-code.ts';
import type { SessionUser } from '#web/lib/session/session.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { errorAbout } from './change-error.ts';
import { useBeginPhoneChange, useConfirmPhone } from './own-phone-api.ts';

/**
 * Adds or changes the number that signs someone in: the number, then the code that was texted there. `secondSteps` are the numbers
 * that cannot be it.
 */
export function OwnPhoneDialog({
  user,
  secondSteps,
  onClose,
}: {
  user: SessionUser;
  secondSteps: readonly string[];
  onClose: () => void;
}) {
  const typed = useTypedPhone((phone) => {
    if (phone === user.phone) return 'This is already your number. Enter the new one.';
    return secondSteps.includes(phone)
      ? 'This number is your second step. One phone cannot cover both steps, so use a different number.'
      : undefined;
  });
  const [sentTo, setSentTo] = useState<{ phone: string; at: number }>();
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        size="sm"
        title={user.phone ? 'Change number' : 'Add a number'}
        description="It takes effect once you enter the code."
      >
        {sentTo ? (
          <CodeStep {...sentTo} onOtherNumber={() => setSentTo(undefined)} onDone={onClose} />
        ) : (
          <NumberStep user={user} typed={typed} onSent={(phone) => setSentTo({ phone, at: Date.now() })} />
        )}
      </DialogContent>
    </Dialog>
  );
}

function NumberStep({
  user,
  typed,
  onSent,
}: {
  user: SessionUser;
  typed: ReturnType<typeof useTypedPhone>;
  onSent: (phone: string) => void;
}) {
  const beginning = useBeginPhoneChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const phone = typed.read();
    if (phone) beginning.mutate(phone, { onSuccess: onSent });
  };
  const failure = errorAbout(beginning.error, undefined);
  return (
    <form onSubmit={submit} noValidate className="contents">
      <DialogBody>
        <p className="text-secondary">
          You can sign in with a code that we text to it. Emailed links still work. Anyone who takes over the number can
          sign in too.
        </p>
        <PhoneField
          phone={typed.text}
          onPhone={typed.type}
          autoFocus={typed.text !== ''}
          error={typed.invalid ?? errorAbout(beginning.error, 'phone')}
        />
        {user.secondStep === 'proven' ? (
          <p className="text-secondary">After you confirm the number, we ask for your second step again.</p>
        ) : null}
        {failure ? (
          <Alert tone="danger" title="No code was texted">
            {failure}
          </Alert>
        ) : null}
      </DialogBody>
      <StepFooter submit="Text me a code" ready={typed.text.trim() !== ''} pending={beginning.isPending} />
    </form>
  );
}

function CodeStep({
  phone,
  at,
  onOtherNumber,
  onDone,
}: {
  phone: string;
  at: number;
  onOtherNumber: () => void;
  onDone: () => void;
}) {
  const [code, setCode] = useState('');
  const confirming = useConfirmPhone();
  const texting = useBeginPhoneChange();
  const text = () => {
    confirming.reset();
    texting.mutate(phone);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirming.mutate(
      { phone, code },
      {
        onSuccess: () => {
          toast.success('Your number is confirmed', 'From now on, you can sign in with a texted code.');
          onDone();
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate className="contents">
      <DialogBody>
        <TextedCode
          phone={phone}
          code={code}
          onCode={setCode}
          error={(confirming.error ?? texting.error)?.message}
          sentAt={Math.max(at, texting.submittedAt)}
          texting={texting.isPending}
          onText={text}
          onOtherNumber={onOtherNumber}
        />
      </DialogBody>
      <StepFooter submit="Confirm" ready={code.length === CODE_LENGTH} pending={confirming.isPending} />
    </form>
  );
}
