import { type FormEvent, useState } from 'react';
import { PhoneField } from '#web/features/access/codes/phone-field.tsx';
import { StepFooter } from '#web/features/access/codes/step-footer.tsx';
import { TextedCode } from '#web/features/access/codes/texted-code.tsx';
import { useTypedPhone } from '#web/features/access/codes/use-typed-phone.ts';
import { CODE_LENGTH } from '#web/features/access/codes/verify-code.ts';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { useBeginPhone, useGiveUpSetup, useTextCode } from './second-step-api.ts';
import { useTurnOn } from './use-turn-on.ts';

/** Makes a phone a second step: its number, then the code that was texted there. Given up, nothing is left of it. */
export function PhoneSetupDialog({ onClose }: { onClose: () => void }) {
  const typed = useTypedPhone();
  const beginning = useBeginPhone();
  const givingUp = useGiveUpSetup();
  const close = () => {
    if (beginning.data) givingUp.mutate(beginning.data.factorId);
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : close())}>
      <DialogContent
        size="sm"
        title="Set up codes by text message"
        description="It takes effect once you enter the code."
      >
        {beginning.data ? (
          <CodeStep
            begun={beginning.data}
            sentAt={beginning.submittedAt}
            onOtherNumber={beginning.reset}
            onDone={onClose}
          />
        ) : (
          <NumberStep typed={typed} beginning={beginning} />
        )}
      </DialogContent>
    </Dialog>
  );
}

function NumberStep({
  typed,
  beginning,
}: {
  typed: ReturnType<typeof useTypedPhone>;
  beginning: ReturnType<typeof useBeginPhone>;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const phone = typed.read();
    if (phone) beginning.mutate(phone);
  };
  return (
    <form onSubmit={submit} noValidate className="contents">
      <DialogBody>
        <p className="text-secondary">
          We text a code to this phone at each sign-in. An authenticator app is safer: it needs no network, and numbers
          can be taken over.
        </p>
        <PhoneField
          phone={typed.text}
          onPhone={typed.type}
          autoFocus={typed.text !== ''}
          error={typed.invalid ?? beginning.error?.message}
        />
      </DialogBody>
      <StepFooter submit="Text me a code" ready={typed.text.trim() !== ''} pending={beginning.isPending} />
    </form>
  );
}

function CodeStep({
  begun: { factorId, phone, challengeId: first },
  sentAt,
  onOtherNumber,
  onDone,
}: {
  begun: { factorId: string; challengeId: string; phone: string };
  sentAt: number;
  onOtherNumber: () => void;
  onDone: () => void;
}) {
  const [challengeId, setChallengeId] = useState(first);
  const { code, setCode, proving, turnOn } = useTurnOn({ factorId, challengeId }, onDone);
  const texting = useTextCode();
  const text = () => {
    proving.reset();
    texting.mutate(factorId, { onSuccess: setChallengeId });
  };
  return (
    <form onSubmit={turnOn} noValidate className="contents">
      <DialogBody>
        <TextedCode
          phone={phone}
          lasts=" It works for five minutes."
          code={code}
          onCode={setCode}
          error={(proving.error ?? texting.error)?.message}
          sentAt={Math.max(sentAt, texting.submittedAt)}
          texting={texting.isPending}
          onText={text}
          onOtherNumber={onOtherNumber}
        />
      </DialogBody>
      <StepFooter submit="Turn on" ready={code.length === CODE_LENGTH} pending={proving.isPending} />
    </form>
  );
}
