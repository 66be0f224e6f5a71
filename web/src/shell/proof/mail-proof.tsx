import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CodeField } from '#web/features/access/codes/code-field.tsx';
import { StepFooter } from '#web/features/access/codes/step-footer.tsx';
import { CODE_LENGTH } from '#web/features/access/codes/verify-code.ts';
import { useSecondsUntil } from '#web/lib/browser/use-seconds-until.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { DialogBody } from '#web/ui/overlay/dialog.tsx';
import { useMailCode, useTakeCode } from './proof-api.ts';

/** How long the next code waits, in ms: longer than the backend counts, and than most mail takes. */
const WAIT_MS = 30_000;

/** Mails a code to `email` at once, and asks for it. */
export function MailProof({ email, onProven }: { email: string; onProven: () => void }) {
  const [code, setCode] = useState('');
  const { mutate: mail, ...mailing } = useMailCode(email);
  const taking = useTakeCode(email);
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    mail();
  }, [mail]);
  const confirm = (entered: string) => taking.mutate(entered, { onSuccess: onProven });
  const type = (next: string) => {
    setCode(next);
    if (next.length === CODE_LENGTH && next !== code && !taking.isPending) confirm(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === CODE_LENGTH && !taking.isPending) confirm(code);
  };
  const again = () => {
    taking.reset();
    setCode('');
    mail();
  };
  return (
    <form onSubmit={submit} noValidate className="contents">
      <DialogBody>
        <CodeField
          code={code}
          onCode={type}
          error={taking.error?.message}
          autoFocus
          hint={
            mailing.isSuccess ? (
              <>
                We emailed a code to <span className="wrap-anywhere">{email}</span>. It works for 10 minutes.
              </>
            ) : undefined
          }
        />
        <MailAgain sentAt={mailing.submittedAt} pending={mailing.isPending} onMail={again} />
        {mailing.error ? <Alert tone="danger">{mailing.error.message}</Alert> : null}
      </DialogBody>
      <StepFooter submit="Confirm" ready={code.length === CODE_LENGTH} pending={taking.isPending} />
    </form>
  );
}

function MailAgain({ sentAt, pending, onMail }: { sentAt: number; pending: boolean; onMail: () => void }) {
  const left = Math.min(useSecondsUntil(sentAt + WAIT_MS), WAIT_MS / 1000);
  const isWaiting = left > 0 && !pending;
  return (
    <Button
      variant="link"
      className="justify-self-start tabular-nums"
      pending={pending}
      // Not `disabled`, which would take the keyboard's focus away.
      aria-disabled={isWaiting || pending || undefined}
      onClick={isWaiting || pending ? undefined : onMail}
    >
      {isWaiting ? `Send another code in ${left} s` : 'Send another code'}
    </Button>
  );
}
