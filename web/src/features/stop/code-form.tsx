import { type FormEvent, useState } from 'react';
import { STOP_CODE_DIGITS, STOP_CODE_MINUTES } from '#contract/calling/stop-page.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatPhone } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { useConfirmStop } from './api.ts';
import type { Entered } from './entered.ts';

/** Confirms by the code that may have been sent. */
export function CodeForm({
  entered: { kind, value },
  ask,
  onDone,
  onBack,
}: {
  entered: Entered;
  ask: string;
  onDone: () => void;
  onBack: () => void;
}) {
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const confirming = useConfirmStop();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isWhole = code.length === STOP_CODE_DIGITS;
    setMissing(!isWhole);
    if (!isWhole || confirming.isPending) return;
    confirming.mutate({ kind, value: value.trim(), ask, code }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <p className="text-secondary [overflow-wrap:anywhere]">
        If <bdi className="font-medium text-foreground">{kind === 'phone' ? formatPhone(value) : value.trim()}</bdi> can
        get a code from us, one is on its way by {kind === 'phone' ? 'text message' : 'email'}. Type it within{' '}
        {STOP_CODE_MINUTES} minutes: nothing changes before. If none comes,{' '}
        {kind === 'phone' ? '' : 'look among spam, or '}ask again. Where we cannot send a code, an administrator looks
        at your request.
      </p>
      <Field
        label={`${STOP_CODE_DIGITS}-digit code`}
        error={missing ? `Enter the ${STOP_CODE_DIGITS} digits of the code.` : undefined}
      >
        <Input
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          className="tracking-[0.3em] tabular-nums"
          value={code}
          onChange={(event) => {
            setCode(event.target.value.replaceAll(/\D/g, '').slice(0, STOP_CODE_DIGITS));
            setMissing(false);
            if (confirming.isError) confirming.reset();
          }}
        />
      </Field>
      {confirming.error ? (
        <Alert tone="danger" title="Not confirmed">
          {errorMessage(confirming.error)}
        </Alert>
      ) : null}
      <Button type="submit" variant="primary" pending={confirming.isPending}>
        Stop contacting me
      </Button>
      <Button variant="ghost" onClick={onBack}>
        Enter something else
      </Button>
    </form>
  );
}
