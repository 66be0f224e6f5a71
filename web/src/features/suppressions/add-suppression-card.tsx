import { type FormEvent, useState } from 'react';
import { z } from 'zod/mini';
import { MOST_COUNTED_LEADS, SUPPRESSION_KINDS, type Suppression } from '#contract/calling/suppressions.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { plural } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { useAddSuppression } from './api.ts';
import { PastExportsOf } from './past-exports.tsx';
import { KIND_HINTS, KIND_OPTIONS, valueText } from './suppression-words.ts';

const Draft = z.object({ kind: z.enum(SUPPRESSION_KINDS), value: z.string(), note: z.string() });
const EMPTY: z.output<typeof Draft> = { kind: 'phone', value: '', note: '' };

/** Adds one entry. What was typed stays until it is stored. */
export function AddSuppressionCard() {
  const [draft, setDraft, clear] = useDraftState('suppression', Draft, EMPTY);
  const [missing, setMissing] = useState(false);
  const [held, setHeld] = useState<Suppression>();
  const adding = useAddSuppression();
  const { example, hint } = KIND_HINTS[draft.kind];

  const change = (next: Partial<typeof draft>) => {
    setDraft({ ...draft, ...next });
    setMissing(false);
    if (adding.isError) adding.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = draft.value.trim();
    setMissing(value === '');
    if (value === '' || adding.isPending) return;
    adding.mutate(
      { kind: draft.kind, value, ...(draft.note.trim() ? { note: draft.note.trim() } : {}) },
      {
        onSuccess: ({ suppression, added, leads }) => {
          toast.success(added ? 'Suppressed' : 'Already on the list', `${valueText(suppression)} · ${heldText(leads)}`);
          setHeld(suppression.exports.total > 0 ? suppression : undefined);
          setDraft({ ...EMPTY, kind: draft.kind });
          clear();
        },
      },
    );
  };
  return (
    <Card aria-label="Add to the list">
      <CardHeader>
        <CardTitle>Add to the list</CardTitle>
        <CardDescription>The entry takes effect at once, in every list and for everyone here.</CardDescription>
      </CardHeader>
      <CardContent>
        <form onSubmit={submit} noValidate className="grid items-start gap-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <Field label="Kind">
            <Select value={draft.kind} onValueChange={(kind) => change({ kind })} options={KIND_OPTIONS} />
          </Field>
          <Field label="What to suppress" hint={hint} error={missing ? 'Enter what is to be suppressed.' : undefined}>
            <Input
              autoComplete="off"
              spellCheck={false}
              maxLength={320}
              placeholder={example}
              value={draft.value}
              onChange={(event) => change({ value: event.target.value })}
            />
          </Field>
          <Field label="Note (optional)" className="sm:col-span-2">
            <Input
              autoComplete="off"
              maxLength={500}
              placeholder="How and when they asked"
              value={draft.note}
              onChange={(event) => change({ note: event.target.value })}
            />
          </Field>
          {adding.error ? (
            <Alert tone="danger" title="Not suppressed" className="sm:col-span-2">
              {errorMessage(adding.error)}
            </Alert>
          ) : null}
          <Button type="submit" variant="primary" pending={adding.isPending} className="justify-self-start">
            Suppress
          </Button>
        </form>
        {held ? (
          <Alert tone="warning" title={`Past exports hold ${valueText(held)}`} className="mt-4">
            <PastExportsOf item={held} open />
          </Alert>
        ) : null}
      </CardContent>
    </Card>
  );
}

const heldText = (leads: number): string => {
  if (leads === 0) return 'no lead has it yet';
  return `${plural(leads, 'lead')}${leads === MOST_COUNTED_LEADS ? ' or more' : ''} held back`;
};
