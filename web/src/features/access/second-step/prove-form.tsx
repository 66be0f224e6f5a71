import type { Factor } from '@supabase/supabase-js';
import { type FormEvent, useState } from 'react';
import { CodeField } from '#web/features/access/codes/code-field.tsx';
import { TextAgain } from '#web/features/access/codes/text-again.tsx';
import { CODE_LENGTH } from '#web/features/access/codes/verify-code.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { factorName, useProve, useTextCode } from './second-step-api.ts';

/** Asks for a code of one of `factors`, of which there is at least one. */
export function ProveForm({ factors, onProven }: { factors: readonly Factor[]; onProven?: () => void }) {
  const [chosen, setChosen] = useState<string>();
  const [code, setCode] = useState('');
  /** The challenge of the newest code that was texted. */
  const [challengeId, setChallengeId] = useState<string>();
  const proving = useProve();
  const texting = useTextCode();
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0];
  const factorId = factor?.id ?? '';
  const byText = factor?.factor_type === 'phone';
  const isTexted = challengeId !== undefined;
  const text = () => {
    proving.reset();
    texting.mutate(factorId, { onSuccess: setChallengeId });
  };
  const prove = (entered: string) =>
    proving.mutate(
      { factorId, code: entered, ...(challengeId ? { challengeId } : {}) },
      { onSuccess: () => onProven?.() },
    );
  const choose = (id: string) => {
    setChosen(id);
    setChallengeId(undefined);
    setCode('');
    proving.reset();
    texting.reset();
  };
  const type = (next: string) => {
    setCode(next);
    if (next.length === CODE_LENGTH && next !== code) prove(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === CODE_LENGTH && !proving.isPending) prove(code);
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {factors.length > 1 ? (
        <Field label="Second step">
          <Select
            value={factorId}
            onValueChange={choose}
            options={factors.map((each) => ({ value: each.id, label: factorName(each) }))}
          />
        </Field>
      ) : null}
      {byText && !isTexted ? (
        <>
          {texting.error ? <Alert tone="danger">{texting.error.message}</Alert> : null}
          <Button variant="primary" size="lg" pending={texting.isPending} onClick={text}>
            Text me a code
          </Button>
        </>
      ) : (
        <>
          <CodeField code={code} onCode={type} error={(proving.error ?? texting.error)?.message} autoFocus />
          {isTexted ? <TextAgain sentAt={texting.submittedAt} pending={texting.isPending} onText={text} /> : null}
          <Button
            type="submit"
            variant="primary"
            size="lg"
            disabled={code.length < CODE_LENGTH}
            pending={proving.isPending}
          >
            Continue
          </Button>
        </>
      )}
    </form>
  );
}
