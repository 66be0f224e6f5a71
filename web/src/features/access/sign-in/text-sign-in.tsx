import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { PhoneField } from '#web/features/access/codes/phone-field.tsx';
import { TextedCode } from '#web/features/access/codes/texted-code.tsx';
import { useTypedPhone } from '#web/features/access/codes/use-typed-phone.ts';
import { CODE_LENGTH } from '#web/features/access/codes/verify-code.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { signInByText, textSignInCode } from './sign-in-by-text.ts';

/** Signs in by a code that is texted to a confirmed number. */
export function TextSignIn() {
  const typed = useTypedPhone();
  const [sentTo, setSentTo] = useState<string>();
  const texting = useMutation({ mutationFn: textSignInCode, onSuccess: (_data, phone) => setSentTo(phone) });
  if (sentTo) return <CodeStep phone={sentTo} texting={texting} onOtherNumber={() => setSentTo(undefined)} />;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const phone = typed.read();
    if (phone) texting.mutate(phone);
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <PhoneField phone={typed.text} onPhone={typed.type} error={typed.invalid} autoFocus />
      {texting.error && !typed.invalid ? <Alert tone="danger">{texting.error.message}</Alert> : null}
      <Button type="submit" variant="primary" size="lg" disabled={typed.text.trim() === ''} pending={texting.isPending}>
        Text me a code
      </Button>
    </form>
  );
}

function CodeStep({
  phone,
  texting,
  onOtherNumber,
}: {
  phone: string;
  texting: { mutate: (phone: string) => void; isPending: boolean; error: Error | null; submittedAt: number };
  onOtherNumber: () => void;
}) {
  const [code, setCode] = useState('');
  const signingIn = useMutation({ mutationFn: signInByText });
  const type = (next: string) => {
    setCode(next);
    if (next.length === CODE_LENGTH && next !== code) signingIn.mutate({ phone, code: next });
  };
  const text = () => {
    signingIn.reset();
    texting.mutate(phone);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === CODE_LENGTH && !signingIn.isPending) signingIn.mutate({ phone, code });
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <TextedCode
        phone={phone}
        code={code}
        onCode={type}
        error={(signingIn.error ?? texting.error)?.message}
        sentAt={texting.submittedAt}
        texting={texting.isPending}
        onText={text}
        onOtherNumber={onOtherNumber}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        disabled={code.length < CODE_LENGTH}
        pending={signingIn.isPending}
      >
        Sign in
      </Button>
    </form>
  );
}
