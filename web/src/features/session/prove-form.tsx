import type { Factor } from '@supabase/supabase-js';
import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { CodeField } from './app-code-field.tsx';
import { useProve, useTextCode } from './second-step-api.ts';
import { CODE_LENGTH } from './verify-code.ts';

/** Asks for a code of one of `factors`, of which there is at least one. */
export function ProveForm({ factors }: { factors: readonly Factor[] }) {
  const [chosen, setChosen] = useState<string>();
  const [code, setCode] = useState('');
  const proving = useProve();
  const texting = useTextCode();
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0];
  const factorId = factor?.id ?? '';
  const byText = factor?.factor_type === 'phone';
  const challengeId = byText ? texting.data : undefined;
  const prove = (entered: string) =>
    proving.mutate({ factorId, code: entered, ...(challengeId ? { challengeId } : {}) });
  const choose = (id: string) => {
    setChosen(id);
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
            options={factors.map(({ id, friendly_name: name }) => ({ value: id, label: name || 'Without a name' }))}
          />
        </Field>
      ) : null}
      {byText ? (
        <Button pending={texting.isPending} onClick={() => texting.mutate(factorId)}>
          {challengeId ? 'Text another code' : 'Text me a code'}
        </Button>
      ) : null}
      <CodeField code={code} onCode={type} error={(proving.error ?? texting.error)?.message} autoFocus={!byText} />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        disabled={code.length < CODE_LENGTH || (byText && !challengeId)}
        pending={proving.isPending}
      >
        Continue
      </Button>
    </form>
  );
}
