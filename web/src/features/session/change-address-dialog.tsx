import { type FormEvent, useState } from 'react';
import { Email } from '#contract/auth.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { useChangeAddress, useSendNonce } from './address-api.ts';
import { AddressError } from './address-error.ts';
import { CODE_LENGTH, readCode } from './verify-code.ts';

type FormProps = { current: string; initialEmail: string; onDone: () => void };

const errorAbout = (error: Error | null, about: AddressError['about']): string | undefined =>
  error instanceof AddressError && error.about === about && !error.needsCode ? error.message : undefined;

function ChangeForm({ current, initialEmail, onDone }: FormProps) {
  const [email, setEmail] = useState(initialEmail);
  const [invalid, setInvalid] = useState<string>();
  const [codeNeeded, setCodeNeeded] = useState(false);
  const [code, setCode] = useState('');
  const changing = useChangeAddress();
  const sending = useSendNonce();

  const askForCode = (error: Error) => {
    if (!(error instanceof AddressError && error.needsCode)) return;
    setCodeNeeded(true);
    sending.mutate();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = Email.safeParse(email);
    const same = parsed.data === current.toLowerCase();
    setInvalid(same ? 'This is the address you have now. Type the new one.' : parsed.error?.issues[0]?.message);
    if (!parsed.success || same) return;
    const nonce = codeNeeded ? code : undefined;
    changing.mutate({ email: parsed.data, nonce }, { onSuccess: onDone, onError: askForCode });
  };
  const failure = errorAbout(changing.error, undefined) ?? sending.error?.message;
  return (
    <form onSubmit={submit} noValidate className="contents">
      <DialogBody>
        <Field label="New email address" error={invalid ?? errorAbout(changing.error, 'email')}>
          <Input
            type="email"
            autoComplete="email"
            placeholder="name@company.com"
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              setInvalid(undefined);
            }}
          />
        </Field>
        {codeNeeded ? (
          <div className="grid gap-2">
            <Field
              label="6-digit code"
              error={errorAbout(changing.error, 'code')}
              hint={
                sending.isSuccess ? (
                  <>
                    Your last sign-in was a while ago. We mailed a code to{' '}
                    <span className="wrap-anywhere">{current}</span>.
                  </>
                ) : undefined
              }
            >
              <Input
                inputMode="numeric"
                autoComplete="one-time-code"
                autoFocus
                value={code}
                onChange={(event) => setCode(readCode(event.target.value))}
                className="tracking-[0.3em] tabular-nums"
              />
            </Field>
            <Button
              variant="link"
              className="justify-self-start"
              pending={sending.isPending}
              onClick={() => sending.mutate()}
            >
              Send another code
            </Button>
          </div>
        ) : null}
        <ul className="grid list-disc gap-1 pl-5 text-secondary">
          <li>
            A link goes to the new mailbox and to <span className="wrap-anywhere text-foreground">{current}</span>. Open
            both, in any order.
          </li>
          <li>Until then you sign in as before. The links work for an hour; after that nothing has changed.</li>
          <li>Lists, keys and sessions stay as they are.</li>
        </ul>
        {failure ? (
          <Alert tone="danger" title="Your address was not changed">
            {failure}
          </Alert>
        ) : null}
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button
          type="submit"
          variant="primary"
          disabled={email.trim() === '' || (codeNeeded && code.length < CODE_LENGTH)}
          pending={changing.isPending}
        >
          Send both links
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Asks for a new address, and for a code of the present mailbox where the last sign-in was a while ago. */
export function ChangeAddressDialog({
  open,
  onOpenChange,
  ...form
}: Omit<FormProps, 'onDone'> & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Change address" description="Both mailboxes have to agree.">
        <ChangeForm {...form} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}
