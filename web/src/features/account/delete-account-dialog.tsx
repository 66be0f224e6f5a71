import { type FormEvent, useState } from 'react';
import { EMAIL_MAX_LENGTH } from '#contract/access/precheck.ts';
import { confirmsAddress } from '#contract/account/account.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { useDeleteAccount } from './api.ts';
import { ExportButton } from './export-button.tsx';

const GOES = [
  'All your lists and leads, including archived ones.',
  'Your provider keys. Your accounts with the providers stay open.',
  'Your run history and the record of every paid call. After that, only your providers’ bills show them.',
  'Any work in progress. It stops, but a provider may still charge for what was already sent.',
];

function ConfirmForm({ email, onBusy }: { email: string; onBusy: (busy: boolean) => void }) {
  const [typed, setTyped] = useState('');
  const [unconfirmed, setUnconfirmed] = useState(false);
  const deleting = useDeleteAccount();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!confirmsAddress(typed, email)) {
      setUnconfirmed(true);
      return;
    }
    onBusy(true);
    deleting.mutate(typed, { onError: () => onBusy(false) });
  };
  const change = (text: string) => {
    setTyped(text);
    setUnconfirmed(false);
    if (deleting.isError) deleting.reset();
  };
  return (
    <form onSubmit={submit} noValidate autoComplete="off" className="contents">
      <DialogBody>
        <div>
          <p className="font-medium">What will be deleted</p>
          <ul className="mt-1 grid list-disc gap-1 pl-5 text-secondary">
            {GOES.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
          <p className="mt-2 text-secondary">
            If an administrator set limits for you, we keep them and your spending with your address until the month
            ends. Nothing else is kept.
          </p>
        </div>
        <div className="grid gap-2">
          <p className="text-secondary">You cannot get any of it back. If you may want a copy, download it first:</p>
          <ExportButton />
        </div>
        <Field
          label={
            <>
              To confirm, type <span className="break-all font-semibold">{email}</span>
            </>
          }
          error={
            unconfirmed ? 'That is not the email address of your account. Type it exactly as shown above.' : undefined
          }
        >
          <Input
            type="text"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-1p-ignore
            data-lpignore="true"
            maxLength={EMAIL_MAX_LENGTH}
            value={typed}
            onChange={(event) => change(event.target.value)}
          />
        </Field>
        {deleting.error ? (
          <Alert tone="danger" title="Your account was not deleted">
            {errorMessage(deleting.error)}
          </Alert>
        ) : null}
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button disabled={deleting.isPending}>Keep my account</Button>
        </DialogClose>
        <Button type="submit" variant="danger" pending={deleting.isPending}>
          Delete account
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Says what goes, offers a copy, and deletes once the address was typed. It stays open while the deletion is under way. */
export function DeleteAccountDialog({
  email,
  open,
  onOpenChange,
}: {
  email: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog open={open} onOpenChange={(next) => (busy ? undefined : onOpenChange(next))}>
      <DialogContent title="Delete account" description="This deletes everything right away and cannot be undone.">
        <ConfirmForm email={email} onBusy={setBusy} />
      </DialogContent>
    </Dialog>
  );
}
