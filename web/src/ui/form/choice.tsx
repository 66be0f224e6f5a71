import { type ReactNode, useId } from 'react';
import { cn } from '#web/ui/cn.ts';
import { Checkbox } from './checkbox.tsx';
import { RadioGroupItem } from './radio-group.tsx';

type ChoiceText = {
  label: ReactNode;
  description?: ReactNode;
  /** At the right end: a price or a count. */
  aside?: ReactNode;
  disabled?: boolean | undefined;
  className?: string | undefined;
};

function ChoiceRow({
  id,
  label,
  description,
  aside,
  disabled,
  className,
  control,
}: ChoiceText & { id: string; control: ReactNode }) {
  return (
    <label
      htmlFor={id}
      className={cn(
        'flex items-start gap-3 rounded-lg border p-3 transition-colors',
        disabled
          ? 'cursor-not-allowed opacity-60'
          : 'cursor-pointer hover:bg-muted has-data-[state=checked]:border-accent has-data-[state=checked]:bg-accent-soft',
        className,
      )}
    >
      <span className="mt-0.5 flex">{control}</span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-3">
          <span id={`${id}-label`} className="min-w-0 font-medium">
            {label}
          </span>
          {aside ? <span className="shrink-0 text-secondary text-sm tabular-nums">{aside}</span> : null}
        </span>
        {description ? (
          <span id={`${id}-text`} className="block text-secondary text-sm">
            {description}
          </span>
        ) : null}
      </span>
    </label>
  );
}

/** A whole row that ticks: label, description and an aside such as a price. */
export function CheckboxChoice({
  checked,
  onCheckedChange,
  ...text
}: ChoiceText & { checked: boolean; onCheckedChange: (checked: boolean) => void }) {
  const id = useId();
  return (
    <ChoiceRow
      id={id}
      {...text}
      control={
        <Checkbox
          id={id}
          checked={checked}
          disabled={text.disabled}
          onCheckedChange={(next) => onCheckedChange(next === true)}
          aria-labelledby={`${id}-label`}
          aria-describedby={text.description ? `${id}-text` : undefined}
        />
      }
    />
  );
}

/** One row of a RadioGroup, clickable as a whole. */
export function RadioChoice({ value, ...text }: ChoiceText & { value: string }) {
  const id = useId();
  return (
    <ChoiceRow
      id={id}
      {...text}
      control={
        <RadioGroupItem
          id={id}
          value={value}
          disabled={text.disabled}
          aria-labelledby={`${id}-label`}
          aria-describedby={text.description ? `${id}-text` : undefined}
        />
      }
    />
  );
}
