import { type FormEvent, useState } from 'react';
import { z } from 'zod/mini';
import { CALL_SCOPES } from '#contract/calling/call-scopes.ts';
import type { CallingRules } from '#contract/calling/rules.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatTime } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { RadioChoice } from '#web/ui/form/choice.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { useSetScope } from './api.ts';

const CHOICES = [
  {
    value: 'every_line',
    label: 'Every line',
    description: 'Any number may be someone’s own. The strictest rule that could apply decides.',
  },
  {
    value: 'business_landlines',
    label: 'Verified business landlines',
    description: 'Rules that protect residences do not apply to landlines. Mobiles and unknown lines stay protected.',
  },
] as const;

const Choice = z.object({ scope: z.enum(CALL_SCOPES), reason: z.string() });
const LEAST_REASON = 3;

/** Whose protection counts, with the reason that is kept. */
export function ScopeCard({ rules: { scope: saved, scopes } }: { rules: CallingRules }) {
  const [{ scope, reason }, choose, clear] = useDraftState('call-scope', Choice, { scope: saved, reason: '' });
  const [missing, setMissing] = useState(false);
  const saving = useSetScope();
  const save = (event: FormEvent) => {
    event.preventDefault();
    const isMissing = reason.trim().length < LEAST_REASON;
    setMissing(isMissing);
    if (isMissing || saving.isPending) return;
    saving.mutate(
      { scope, reason: reason.trim() },
      {
        onSuccess: () => {
          choose({ scope, reason: '' });
          clear();
          toast.success('Saved', 'It holds for every verdict from now on.');
        },
      },
    );
  };
  return (
    <Card aria-label="Who is protected">
      <CardHeader>
        <CardTitle>Who is protected</CardTitle>
        <CardDescription>
          A contractor’s business number is often a personal one. Choose landlines only if you verified them.
        </CardDescription>
      </CardHeader>
      <CardContent>
        <form onSubmit={save} noValidate className="grid gap-4">
          <RadioGroup
            aria-label="Who is protected"
            value={scope}
            onValueChange={(next) => choose({ scope: CALL_SCOPES.find((one) => one === next) ?? scope, reason })}
            className="sm:grid-cols-2"
          >
            {CHOICES.map((choice) => (
              <RadioChoice key={choice.value} {...choice} />
            ))}
          </RadioGroup>
          {scope === saved ? null : (
            <Field
              label="Reason"
              hint="It is kept with your address and the time."
              error={missing ? 'Say why, in a few words.' : undefined}
            >
              <Input
                autoComplete="off"
                maxLength={500}
                value={reason}
                onChange={(event) => {
                  choose({ scope, reason: event.target.value });
                  setMissing(false);
                }}
              />
            </Field>
          )}
          {saving.error ? (
            <Alert tone="danger" title="Not saved">
              {errorMessage(saving.error)}
            </Alert>
          ) : null}
          <div>
            <Button type="submit" variant="primary" disabled={scope === saved} pending={saving.isPending}>
              Save
            </Button>
          </div>
        </form>
        {scopes.length > 0 ? (
          <section aria-label="Earlier choices" className="mt-5 grid grid-cols-1 gap-2 border-t pt-4">
            <h3 className="font-medium">Earlier choices</h3>
            <ol className="grid grid-cols-1 gap-2">
              {scopes.map(({ scope: chosen, by, at, reason: why }) => (
                <li key={at} className="grid grid-cols-1">
                  <span dir="auto" className="break-words text-left">
                    {CHOICES.find(({ value }) => value === chosen)?.label}: {why}
                  </span>
                  <span className="text-secondary text-sm [overflow-wrap:anywhere]">
                    {formatTime(at)}, {by}
                  </span>
                </li>
              ))}
            </ol>
          </section>
        ) : null}
      </CardContent>
    </Card>
  );
}
