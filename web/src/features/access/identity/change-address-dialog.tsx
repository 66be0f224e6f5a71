import { type FormEvent, useState } from 'react';
import { z } from 'zod/mini';
import { Email } from '#contract/access/precheck.ts';
import { StepFooter } from '#web/features/access/codes/step-footer.tsx';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { useChangeAddress } from './address-api.ts';
import { errorAbout } from './change-error.ts';

type FormProps = { current: string; initialEmail: string; onDone: () => void };

function ChangeForm({ current, initialEmail, onDone }: FormProps) {
  const [email, setEmail, clear] = useDraftState('change-address', z.string(), initialEmail);
  const [invalid, setInvalid] = useState<string>();
  const changing = useChangeAddress();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = Email.safeParse(email);
    const same = parsed.data === current.toLowerCase();
    setInvalid(same ? 'This is already your address. Enter the new one.' : parsed.error?.issues[0]?.message);
    if (!parsed.success || same) return;
    const done = () => {
      clear();
      onDone();
    };
    changing.mutate(parsed.data, { onSuccess: done });
  };
  const failure = errorAbout(changing.error, undefined);
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
      <StepFooter submit="Send both links" ready={email.trim() !== ''} pending={changing.isPending} />
    </form>
  );
}

/** Asks for a new address. */
export function ChangeAddressDialog({
  open,
  onOpenChange,
  ...form
}: Omit<FormProps, 'onDone'> & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Change address" description="You confirm the change in both mailboxes.">
        <ChangeForm {...form} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}
