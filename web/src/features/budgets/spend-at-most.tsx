import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ProviderId } from '#contract/providers.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { budgetsQuery } from './api.ts';
import { budgetsLeave } from './budgets-leave.ts';
import { readSpending } from './read-spending.ts';

/**
 * What a run may cost at most, in dollars as typed; empty is what it is estimated at. Says how much the budgets leave.
 * `sandbox`: which money the run will spend; undefined while that is not known.
 */
export function SpendAtMost({
  providers,
  sandbox,
  value,
  onChange,
}: {
  providers: readonly ProviderId[];
  sandbox: boolean | undefined;
  value: string;
  onChange: (typed: string) => void;
}) {
  const { data } = useQuery(budgetsQuery);
  const left = budgetsLeave(data?.items ?? [], providers, sandbox)?.least;
  const each = providers.length > 1 ? 'Spend at most on each' : 'Spend at most';
  return (
    <Field
      label={each}
      error={readSpending(value).error}
      hint={
        left === undefined ? (
          'The run stops there and keeps what it found.'
        ) : left > 0 ? (
          `Your budgets leave ${formatMoney(left)}.`
        ) : (
          <span className="text-warning">
            Your budgets leave nothing.{' '}
            <Link to="/settings#budgets" className="underline underline-offset-4">
              See budgets
            </Link>
          </span>
        )
      }
    >
      <Input
        inputMode="decimal"
        autoComplete="off"
        placeholder="As estimated"
        className="max-w-48 tabular-nums"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
