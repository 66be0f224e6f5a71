import { type FormEvent, useState } from 'react';
import { NewOwnRule } from '#contract/calling/rules.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatTimesIn } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { DayInput } from '#web/ui/form/day-input.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { useAddRule } from './api.ts';
import { EMPTY_RULE, RuleDraft, toRule, WEEKDAYS } from './rule-words.ts';

/** Adds a stricter rule. One that allows more than the law is refused in words. */
export function AddRuleForm() {
  const [draft, setDraft, clear] = useDraftState('calling-rule', RuleDraft, EMPTY_RULE);
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const adding = useAddRule();
  const change = (next: Partial<RuleDraft>) => {
    setDraft({ ...draft, ...next });
    setErrors(new Map());
    if (adding.isError) adding.reset();
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    const read = NewOwnRule.safeParse(toRule(draft));
    setErrors(new Map(read.error?.issues.map(({ path, message }) => [path.join('.'), message])));
    if (!read.success || adding.isPending) return;
    adding.mutate(read.data, {
      onSuccess: () => {
        setDraft(EMPTY_RULE);
        clear();
        toast.success('Rule added', 'It holds for every verdict from now on.');
      },
    });
  };
  const text = (name: 'state' | 'from' | 'to' | 'calls' | 'hours' | 'reason') => ({
    value: draft[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <form onSubmit={add} noValidate aria-label="Add a rule" className="grid items-start gap-3 sm:grid-cols-3">
      <Field label="State" hint="Two letters, or US for everywhere." error={errors.get('state')}>
        <Input {...text('state')} maxLength={2} placeholder="FL" />
      </Field>
      <Field label="From" error={errors.get('from')}>
        <Input {...text('from')} type="time" />
      </Field>
      <Field label="To" error={errors.get('to')}>
        <Input {...text('to')} type="time" />
      </Field>
      <fieldset className="sm:col-span-3">
        <legend className="mb-1.5 font-medium">Days on which calls may begin</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          {WEEKDAYS.map(({ label, day }) => (
            <label key={label} htmlFor={`rule-day-${day}`} className="flex items-center gap-2">
              <Checkbox
                id={`rule-day-${day}`}
                checked={draft.days.includes(day)}
                onCheckedChange={(checked) =>
                  change({
                    days: WEEKDAYS.map((one) => one.day).filter((one) =>
                      one === day ? checked === true : draft.days.includes(one),
                    ),
                  })
                }
              />
              {label}
            </label>
          ))}
        </div>
        <p className="mt-1.5 text-faint text-sm">
          Other days are closed, unless another rule of the state names them. Without any day, no call may begin at all.
        </p>
      </fieldset>
      <Field label="Most calls (optional)" error={errors.get('cap.calls')}>
        <Input {...text('calls')} inputMode="numeric" placeholder="2" />
      </Field>
      <Field label="Within how many hours" error={errors.get('cap.hours')}>
        <Input {...text('hours')} inputMode="numeric" placeholder="24" />
      </Field>
      <span className="max-sm:hidden" />
      <Field label="First day (optional)" error={errors.get('effectiveFrom')}>
        <DayInput
          label="First day"
          value={draft.effectiveFrom}
          onChange={(effectiveFrom) => change({ effectiveFrom })}
        />
      </Field>
      <Field label="Last day (optional)" error={errors.get('effectiveTo')}>
        <DayInput label="Last day" value={draft.effectiveTo} onChange={(effectiveTo) => change({ effectiveTo })} />
      </Field>
      <Field label="Reason" error={errors.get('reason')} className="sm:col-span-3">
        <Input {...text('reason')} maxLength={500} placeholder="Why this workspace is stricter" />
      </Field>
      {adding.error ? (
        <Alert tone="danger" title="Not added" className="sm:col-span-3">
          {formatTimesIn(errorMessage(adding.error))}
        </Alert>
      ) : null}
      <Button type="submit" variant="primary" pending={adding.isPending} className="justify-self-start">
        Add rule
      </Button>
    </form>
  );
}
