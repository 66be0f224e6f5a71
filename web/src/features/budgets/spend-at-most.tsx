import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ProviderId } from '#contract/providers.ts';
import { formatExact } from '#web/lib/format/format.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { budgetsQuery } from './api.ts';
import { budgetsLeave } from './budgets-leave.ts';

/** What a run may cost at most, in dollars as typed. Says how much the budgets leave. */
export function SpendAtMostField({
  providers,
  sandbox,
  each,
  shown,
  typed,
  problem,
  onChange,
}: {
  providers: readonly ProviderId[];
  /** Which money the run will spend; undefined while that is not known. */
  sandbox: boolean | undefined;
  /** Whether it holds for each of several runs. */
  each: boolean;
  /** What is sent while nothing is typed; undefined where that stands above, for each of them. */
  shown: string | undefined;
  typed: string;
  problem: string | undefined;
  onChange: (typed: string) => void;
}) {
  const { data } = useQuery(budgetsQuery);
  const left = budgetsLeave(data?.items ?? [], providers, sandbox)?.least;
  return (
    <Field
      label={each ? 'Spend at most on each' : 'Spend at most'}
      error={problem}
      hint={
        left === undefined ? (
          'The run stops there and keeps what it found.'
        ) : left > 0 ? (
          `You have ${formatExact(left)} left in your budgets.`
        ) : (
          <span className="text-warning">
            You have no budget left.{' '}
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
        placeholder={shown ?? 'The amounts above'}
        className="max-w-48 tabular-nums"
        value={typed}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
