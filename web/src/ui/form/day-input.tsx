import { Input } from './input.tsx';

/** A day as YYYY-MM-DD; empty while it is cleared or half typed. */
export function DayInput({
  label,
  onChange,
  ...input
}: {
  label: string;
  value: string;
  min?: string;
  max?: string;
  required?: boolean;
  onChange: (day: string) => void;
}) {
  return (
    <Input
      type="date"
      aria-label={label}
      {...input}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 min-w-32 px-2.5 tabular-nums max-sm:flex-1 sm:w-36"
    />
  );
}
