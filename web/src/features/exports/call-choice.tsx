import { z } from 'zod/mini';
import { MOST_HOURS_AHEAD } from '#contract/work/exports/export-choice.ts';
import { plural } from '#web/lib/format/format.ts';
import { CheckboxChoice, RadioChoice } from '#web/ui/form/choice.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Select } from '#web/ui/form/select.tsx';

/** What an export asks of calls. `within`: hours; undefined for leads that may be called at any time, or never. */
export const CallChoice = z.object({ within: z.optional(z.number()), times: z.boolean() });
export type CallChoice = z.infer<typeof CallChoice>;
export const NO_CALLS: CallChoice = { times: false };

/** The same as the product API takes it. */
export const toCallBody = ({ within, times }: CallChoice) => ({
  ...(within === undefined ? {} : { call_within: within }),
  ...(times ? { call_times: true } : {}),
});

const HOURS = Array.from({ length: MOST_HOURS_AHEAD }, (_, index) => ({
  value: String(index + 1),
  label: plural(index + 1, 'hour'),
}));
const FIRST_HOURS = 8;

/** Narrows a file to leads that may be called soon, and adds the times for it. */
export function CallFields({ choice, onChange }: { choice: CallChoice; onChange: (choice: CallChoice) => void }) {
  const { within, times } = choice;
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-2 font-medium">Calls</legend>
      <RadioGroup
        aria-label="Calls"
        value={within === undefined ? 'any' : 'soon'}
        onValueChange={(next) => onChange(next === 'soon' ? { ...choice, within: FIRST_HOURS } : { times })}
        className="sm:grid-cols-2"
      >
        <RadioChoice value="any" label="Any time" description="Whether or not they may be called" />
        <RadioChoice
          value="soon"
          label="Callable soon"
          description="Callable at some moment in the next hours; never unknown, to review or blocked"
        />
      </RadioGroup>
      {within === undefined ? (
        <CheckboxChoice
          checked={times}
          onCheckedChange={(next) => onChange({ times: next })}
          label="Add call times"
          description="Seven columns: status, from, to, time zone, checked on, expires on and rule"
        />
      ) : (
        <Field label="Within" hint="The file says from when to when each one may be called, and under which rule.">
          <Select
            value={String(within)}
            onValueChange={(hours) => onChange({ ...choice, within: Number(hours) })}
            options={HOURS}
          />
        </Field>
      )}
    </fieldset>
  );
}
