import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { leftOf } from '#contract/budgets.ts';
import type { ProviderId } from '#contract/providers.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { budgetsQuery } from './api.ts';
import { readSpending } from './read-spending.ts';

/**
 * What a run may cost at the most, in dollars as typed; empty is what it is estimated at. Says how much the budgets leave.
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
  const concerned = (data?.items ?? []).filter(
    ({ id }) => id === 'run' || id === 'month' || providers.some((provider) => provider === id),
  );
  const kinds = sandbox === undefined ? [false, true] : [sandbox];
  const lefts = concerned.flatMap((budget) => kinds.flatMap((kind) => leftOf(budget, kind) ?? []));
  const left = Math.min(...lefts);
  const each = providers.length > 1 ? 'Spend at most on each' : 'Spend at most';
  return (
    <Field
      label={each}
      error={readSpending(value).error}
      hint={
        lefts.length === 0 ? (
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
