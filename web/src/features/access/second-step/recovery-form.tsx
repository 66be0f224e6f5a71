import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { useRecoveryCode } from './recovery-api.ts';

/** Asks for one of the recovery codes. */
export function RecoveryForm({ onProven }: { onProven?: (() => void) | undefined }) {
  const [code, setCode] = useState('');
  const proving = useRecoveryCode();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '' && !proving.isPending) proving.mutate(code, { onSuccess: () => onProven?.() });
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <Field label="Recovery code" hint="Each code works once." error={proving.error?.message}>
        <Input
          value={code}
          onChange={(event) => setCode(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          autoFocus
        />
      </Field>
      <Button type="submit" variant="primary" size="lg" disabled={code.trim() === ''} pending={proving.isPending}>
        Continue
      </Button>
    </form>
  );
}
