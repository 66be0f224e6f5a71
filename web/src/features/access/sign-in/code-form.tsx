import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Email } from '#contract/access/precheck.ts';
import { SignInError } from '#web/features/access/codes/request-link.ts';
import { CODE_LENGTH, readCode, verifyCode } from '#web/features/access/codes/verify-code.ts';
import { WaitButton } from '#web/features/access/codes/wait-button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';

/** Signs in with the six digits of the mail. Without `email` it asks for the address too. */
export function CodeForm({ email: knownEmail }: { email?: string | undefined }) {
  const [email, setEmail] = useState(knownEmail ?? '');
  const [code, setCode] = useState('');
  const [invalid, setInvalid] = useState<string>();
  const verifying = useMutation({ mutationFn: (entered: string) => verifyCode(email.trim().toLowerCase(), entered) });

  const verify = (entered: string) => {
    const parsed = Email.safeParse(email);
    setInvalid(parsed.error?.issues[0]?.message);
    if (parsed.success) verifying.mutate(entered);
  };
  const type = (text: string) => {
    const next = readCode(text);
    setCode(next);
    if (next.length === CODE_LENGTH && next !== code && knownEmail) verify(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === CODE_LENGTH && !verifying.isPending) verify(code);
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {knownEmail ? null : (
        <Field label="Email" error={invalid}>
          <Input
            type="email"
            autoComplete="email"
            placeholder="name@company.com"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
      )}
      <Field label="6-digit code" error={verifying.error?.message}>
        <Input
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => type(event.target.value)}
          className="tracking-[0.3em] tabular-nums"
        />
      </Field>
      <WaitButton
        type="submit"
        variant={knownEmail ? 'secondary' : 'primary'}
        size="lg"
        disabled={code.length < CODE_LENGTH || email.trim() === ''}
        pending={verifying.isPending}
        until={verifying.error instanceof SignInError ? verifying.error.until : undefined}
      >
        Sign in with the code
      </WaitButton>
    </form>
  );
}
