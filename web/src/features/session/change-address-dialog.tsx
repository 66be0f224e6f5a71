import { type FormEvent, useState } from 'react';
import { Email } from '#contract/auth.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Dialog, DialogBody, DialogContent } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { useChangeAddress } from './address-api.ts';
import { errorAbout } from './change-error.ts';
import { NonceField } from './nonce-field.tsx';
import { StepFooter } from './step-footer.tsx';
import { useNonce } from './use-nonce.ts';

type FormProps = { current: string; initialEmail: string; onDone: () => void };

function ChangeForm({ current, initialEmail, onDone }: FormProps) {
  const [email, setEmail] = useState(initialEmail);
  const [invalid, setInvalid] = useState<string>();
  const changing = useChangeAddress();
  const nonce = useNonce();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = Email.safeParse(email);
    const same = parsed.data === current.toLowerCase();
    setInvalid(same ? 'This is the address you have now. Type the new one.' : parsed.error?.issues[0]?.message);
    if (!parsed.success || same) return;
    changing.mutate({ email: parsed.data, nonce: nonce.value }, { onSuccess: onDone, onError: nonce.askAfter });
  };
  const failure = errorAbout(changing.error, undefined) ?? nonce.mailing.error?.message;
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
        <NonceField nonce={nonce} email={current} error={errorAbout(changing.error, 'code')} />
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
      <StepFooter
        submit="Send both links"
        ready={email.trim() !== '' && nonce.isComplete}
        pending={changing.isPending}
      />
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
