import { type FormEvent, useRef, useState } from 'react';
import { z } from 'zod/mini';
import { Email } from '#contract/access/precheck.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { useInvite } from './api.ts';
import { denialHint } from './denial-hint.ts';
import { ROLE_OPTIONS } from './user-options.ts';

const Invitation = z.object({ email: z.string(), role: z.enum(['user', 'admin']) });
const EMPTY: z.output<typeof Invitation> = { email: '', role: 'user' };

/** Invites an address with a role. What was typed stays until the invitation is sent. */
export function AddUserCard() {
  const [{ email, role }, setInvitation, clear] = useDraftState('invite', Invitation, EMPTY);
  const typed = useRef(email);
  const [invalid, setInvalid] = useState<string>();
  const inviting = useInvite();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = Email.safeParse(email);
    setInvalid(parsed.error?.issues[0]?.message);
    if (!parsed.success) return;
    inviting.mutate(
      { email: parsed.data, role },
      {
        onSuccess: (invitation) => {
          toast.success('Invitation sent', `${invitation.email} has seven days to accept it.`);
          // Anyone who types on while the mail goes out keeps the next address.
          setInvitation({ ...EMPTY, email: typed.current === email ? '' : typed.current });
          clear();
        },
      },
    );
  };
  const change = (text: string) => {
    typed.current = text;
    setInvitation({ email: text, role });
    setInvalid(undefined);
    if (inviting.isError) inviting.reset();
  };
  const hint = inviting.data && denialHint(inviting.data);
  return (
    <Card aria-label="Add User">
      <CardHeader>
        <CardTitle>Add User</CardTitle>
        <CardDescription>They get an email with a link to the sign-in page.</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-3">
        <form onSubmit={submit} noValidate className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_9rem_auto]">
          <Field label="Email" error={invalid}>
            <Input
              type="email"
              autoComplete="off"
              placeholder="name@company.com"
              value={email}
              onChange={(event) => change(event.target.value)}
            />
          </Field>
          <Field label="Role">
            <Select
              value={role}
              onValueChange={(next) => setInvitation({ email, role: next })}
              options={ROLE_OPTIONS}
            />
          </Field>
          <Button
            type="submit"
            variant="primary"
            disabled={email.trim() === ''}
            pending={inviting.isPending}
            className="h-9 sm:mt-6.5"
          >
            Send Invite
          </Button>
        </form>
        {hint ? (
          <Alert tone="warning" title="Invited, but not yet able to sign in">
            {hint}
          </Alert>
        ) : null}
        {inviting.error ? (
          <Alert tone="danger" title="Invite failed">
            {errorMessage(inviting.error)}
          </Alert>
        ) : null}
      </CardContent>
    </Card>
  );
}
