import { useId } from 'react';
import { FINDING_STEPS, type FindingStep } from '#contract/work/enrichment-steps.ts';
import { Button } from '#web/ui/button.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { possibleSteps, turned } from './chosen-steps.ts';

const WORDS: Record<FindingStep, { label: string; text: string }> = {
  open: { label: 'Open data', text: 'Free. Public records that this server has loaded.' },
  website: {
    label: 'The business’s own website',
    text: 'Free. Reads a few pages of sites that allow it.',
  },
  hunter: {
    label: 'Hunter',
    text: 'Paid, needs a Hunter key. Asked where no email was found. Owners come from Hunter alone: to ask about every lead, switch off the others.',
  },
};
const HUNTER_ALONE =
  'Paid, needs a Hunter key. Asked about every website, even where an email is known, and finds owners too.';

/** Where emails are looked for, in the order in which it is done. One of them always stays on. */
export function StepsChoice({
  wanted,
  hunter,
  onChange,
  onConnectHunter,
}: {
  wanted: readonly FindingStep[];
  /** Whether Hunter can be asked: it needs a key. */
  hunter: boolean;
  onChange: (wanted: FindingStep[]) => void;
  onConnectHunter: () => void;
}) {
  const possible = possibleSteps(wanted, hunter);
  return (
    <fieldset aria-label="Where to look" className="min-w-0 divide-y rounded-lg border">
      {FINDING_STEPS.map((step) => {
        const on = possible.includes(step);
        return (
          <StepSwitch
            key={step}
            label={WORDS[step].label}
            text={step === 'hunter' && on && possible.length === 1 ? HUNTER_ALONE : WORDS[step].text}
            checked={on}
            disabled={(step === 'hunter' && !hunter) || (on && possible.length === 1)}
            onChange={(next) => onChange(turned(wanted, { step, on: next, hunter }))}
          />
        );
      })}
      {hunter ? null : (
        <p className="flex flex-wrap items-center justify-between gap-2 px-3 py-2 text-sm text-warning">
          Hunter.io API key is missing.
          <Button size="sm" onClick={onConnectHunter}>
            Connect Hunter.io
          </Button>
        </p>
      )}
    </fieldset>
  );
}

function StepSwitch({
  label,
  text,
  checked,
  disabled,
  onChange,
}: {
  label: string;
  text: string;
  checked: boolean;
  disabled: boolean;
  onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4 px-3 py-2">
      <label htmlFor={id} className="min-w-0">
        <span className="block">{label}</span>
        <span id={`${id}-text`} className="block text-secondary text-sm">
          {text}
        </span>
      </label>
      <Switch
        id={id}
        aria-label={label}
        aria-describedby={`${id}-text`}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
      />
    </div>
  );
}
