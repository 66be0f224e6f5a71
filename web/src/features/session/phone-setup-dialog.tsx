import { type FormEvent, useState } from 'react';
import { PhoneNumber } from '#contract/phone.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import { CodeField } from './app-code-field.tsx';
import { PhoneField } from './phone-field.tsx';
import { useBeginPhone, useGiveUpSetup, useProve, useTextCode } from './second-step-api.ts';
import { TextAgain } from './text-again.tsx';
import { CODE_LENGTH } from './verify-code.ts';

/** Makes a phone a second step: its number, then the code that was texted there. Given up, nothing is left of it. */
export function PhoneSetupDialog({ onClose }: { onClose: () => void }) {
  const [phone, setPhone] = useState('');
  const beginning = useBeginPhone();
  const givingUp = useGiveUpSetup();
  const close = () => {
    if (beginning.data) givingUp.mutate(beginning.data.factorId);
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : close())}>
      <DialogContent size="sm" title="Set up codes by text message" description="It counts once the code is taken.">
        {beginning.data ? (
          <CodeStep
            begun={beginning.data}
            sentAt={beginning.submittedAt}
            onOtherNumber={beginning.reset}
            onDone={onClose}
          />
        ) : (
          <NumberStep phone={phone} onPhone={setPhone} beginning={beginning} />
        )}
      </DialogContent>
    </Dialog>
  );
}

function NumberStep({
  phone,
  onPhone,
  beginning,
}: {
  phone: string;
  onPhone: (phone: string) => void;
  beginning: ReturnType<typeof useBeginPhone>;
}) {
  const [invalid, setInvalid] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = PhoneNumber.safeParse(phone);
    setInvalid(parsed.error?.issues[0]?.message);
    if (parsed.success) beginning.mutate(parsed.data);
  };
  const type = (next: string) => {
    onPhone(next);
    setInvalid(undefined);
  };
  return (
    <form onSubmit={submit} noValidate className="contents">
      <DialogBody>
        <p className="text-secondary">
          We text a code to this phone at each sign-in. An authenticator app is safer: it needs no network, and numbers
          can be taken over.
        </p>
        <PhoneField phone={phone} onPhone={type} error={invalid ?? beginning.error?.message} />
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={phone.trim() === ''} pending={beginning.isPending}>
          Text me a code
        </Button>
      </DialogFooter>
    </form>
  );
}

function CodeStep({
  begun,
  sentAt,
  onOtherNumber,
  onDone,
}: {
  begun: { factorId: string; challengeId: string; phone: string };
  sentAt: number;
  onOtherNumber: () => void;
  onDone: () => void;
}) {
  const { factorId, phone } = begun;
  const [challengeId, setChallengeId] = useState(begun.challengeId);
  const [code, setCode] = useState('');
  const proving = useProve();
  const texting = useTextCode();
  const text = () => {
    proving.reset();
    texting.mutate(factorId, { onSuccess: setChallengeId });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    proving.mutate(
      { factorId, code, challengeId },
      {
        onSuccess: () => {
          toast.success('Two-step sign-in is on', 'From now on a code is asked for after the link.');
          onDone();
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate className="contents">
      <DialogBody>
        <p role="status" className="text-secondary">
          We texted a code to <span className="whitespace-nowrap font-medium text-foreground">{phone}</span>. It works
          for five minutes.
        </p>
        <CodeField code={code} onCode={setCode} error={(proving.error ?? texting.error)?.message} autoFocus />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <TextAgain sentAt={Math.max(sentAt, texting.submittedAt)} pending={texting.isPending} onText={text} />
          <Button variant="link" onClick={onOtherNumber}>
            Use a different number
          </Button>
        </div>
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
  );
}
