import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Email } from '#contract/access/precheck.ts';
import { requestLink, SignInError } from '#web/features/access/codes/request-link.ts';
import { WaitButton } from '#web/features/access/codes/wait-button.tsx';
import type { LinkSent } from '#web/lib/session/link-sent.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';

/** Asks for a sign-in link. `onSent` gets the address it went to, and what was said about it. */
export function EmailForm({
  initialEmail = '',
  autoFocus = false,
  onSent,
}: {
  initialEmail?: string;
  autoFocus?: boolean;
  onSent: (email: string, sent: LinkSent) => void;
}) {
  const [email, setEmail] = useState(initialEmail);
  const [invalid, setInvalid] = useState<string>();
  const sending = useMutation({ mutationFn: requestLink, onSuccess: (sent, sentTo) => onSent(sentTo, sent) });
  const refused = sending.error instanceof SignInError ? sending.error : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = Email.safeParse(email);
    setInvalid(parsed.error?.issues[0]?.message);
    if (parsed.success) sending.mutate(parsed.data);
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <Field label="Email" error={invalid}>
        <Input
          type="email"
          autoComplete="email"
          placeholder="name@company.com"
          autoFocus={autoFocus}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      {sending.error && !invalid ? <Alert tone="danger">{sending.error.message}</Alert> : null}
      <WaitButton
        type="submit"
        variant="primary"
        size="lg"
        disabled={email.trim() === ''}
        pending={sending.isPending}
        until={sending.variables === email.trim().toLowerCase() ? refused?.until : undefined}
      >
        Send magic link
      </WaitButton>
    </form>
  );
}
