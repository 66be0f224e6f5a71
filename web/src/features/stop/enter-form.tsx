import { type FormEvent, useState } from 'react';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { useAskToStop } from './api.ts';
import type { Entered } from './entered.ts';

const KINDS = [
  { value: 'phone', label: 'My phone number' },
  { value: 'email', label: 'My email address' },
] as const;

/** Asks what should not be contacted anymore. */
export function EnterForm({
  entered: { kind, value },
  onChange,
  onAsked,
}: {
  entered: Entered;
  onChange: (entered: Entered) => void;
  onAsked: (ask: string) => void;
}) {
  const [missing, setMissing] = useState(false);
  const asking = useAskToStop();
  const change = (next: Entered) => {
    onChange(next);
    setMissing(false);
    if (asking.isError) asking.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(value.trim() === '');
    if (value.trim() === '' || asking.isPending) return;
    asking.mutate({ kind, value: value.trim() }, { onSuccess: ({ ask }) => onAsked(ask) });
  };
  const isPhone = kind === 'phone';
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <Field label="What should not be contacted">
        <Select value={kind} onValueChange={(next) => change({ kind: next, value: '' })} options={KINDS} />
      </Field>
      <Field
        label={isPhone ? 'Your phone number' : 'Your email address'}
        error={missing ? `Enter your ${isPhone ? 'number' : 'address'}.` : undefined}
      >
        <Input
          type={isPhone ? 'tel' : 'email'}
          autoComplete={isPhone ? 'tel' : 'email'}
          maxLength={320}
          placeholder={isPhone ? '(217) 555-0100' : 'name@example.com'}
          value={value}
          onChange={(event) => change({ kind, value: event.target.value })}
        />
      </Field>
      {asking.error ? (
        <Alert tone="danger" title="That did not work">
          {errorMessage(asking.error)}
        </Alert>
      ) : null}
      <Button type="submit" variant="primary" pending={asking.isPending}>
        Continue
      </Button>
    </form>
  );
}
