import type { Money } from '#contract/money/usage.ts';
import { DayInput } from '#web/ui/form/day-input.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { Select, type SelectOption } from '#web/ui/form/select.tsx';
import type { Period, UsageView } from './usage-view.ts';

const OPTIONS: readonly SelectOption<Period>[] = [
  { value: 'month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
  { value: '30-days', label: 'Last 30 days' },
  { value: 'custom', label: 'Custom days' },
];
const MONEY_OPTIONS = [
  { value: 'real', label: 'Real money' },
  { value: 'sandbox', label: 'Sandbox' },
] as const;

/** Which days are added up, and, for those who have spent both, which money. */
export function UsageFilters({
  view,
  money,
  onChange,
}: {
  view: UsageView;
  /** The money that is shown; undefined where there is no choice. */
  money: Money | undefined;
  onChange: (change: Partial<UsageView>) => void;
}) {
  return (
    <search aria-label="Choose the period" className="flex flex-wrap items-center gap-2 print:hidden">
      <Select
        aria-label="Period"
        size="sm"
        value={view.period}
        onValueChange={(period) => onChange({ period })}
        options={OPTIONS}
        className="w-40"
      />
      {view.period === 'custom' ? (
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
          <DayInput
            label="First day"
            value={view.from}
            max={view.to}
            required
            onChange={(from) => from && onChange({ from })}
          />
          <span aria-hidden className="text-faint max-sm:hidden">
            –
          </span>
          <DayInput
            label="Last day"
            value={view.to}
            min={view.from}
            required
            onChange={(to) => to && onChange({ to })}
          />
        </div>
      ) : null}
      {money ? (
        <SegmentedControl
          aria-label="Money"
          value={money}
          onValueChange={(chosen) => onChange({ money: chosen })}
          options={MONEY_OPTIONS}
        />
      ) : null}
    </search>
  );
}
