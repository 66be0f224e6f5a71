import {
  INDUSTRY_PER_LEAD_MICROS,
  SEARCH_PER_LEAD_MICROS,
  searchEstimateMicros,
  searchSavings,
} from '#contract/money/costs.ts';
import { formatMoney, formatRate } from '#web/lib/format/format.ts';
import { cn } from '#web/ui/cn.ts';

/** What a search costs at list price, and what that saves against bought leads: at both ends of the industry's range. */
export function CostPanel({ maxResults }: { maxResults: number }) {
  const { low, high } = searchSavings(maxResults);
  const industry = `${formatMoney(maxResults * INDUSTRY_PER_LEAD_MICROS.low)} – ${formatMoney(maxResults * INDUSTRY_PER_LEAD_MICROS.high)}`;
  return (
    <section aria-label="Cost and savings" className="overflow-hidden rounded-lg border">
      <dl aria-live="polite" className="grid gap-2 px-4 py-3 tabular-nums">
        <Line
          term="Estimated cost"
          note={`at list price, ${maxResults} leads × ${formatRate(SEARCH_PER_LEAD_MICROS)}`}
          value={formatMoney(searchEstimateMicros(maxResults))}
          strong
        />
        <Line
          term="Industry price"
          note={`${formatMoney(INDUSTRY_PER_LEAD_MICROS.low)} – ${formatMoney(INDUSTRY_PER_LEAD_MICROS.high)} each`}
          value={industry}
        />
        <Line
          term="You save"
          note={`${low.percent}% – ${high.percent}%`}
          value={`${formatMoney(low.savedMicros)} – ${formatMoney(high.savedMicros)}`}
          strong
          inherit
          className="-mx-4 -mb-3 mt-1 border-t bg-success-soft px-4 py-3 text-success"
        />
      </dl>
    </section>
  );
}

function Line({
  term,
  note,
  value,
  strong = false,
  inherit = false,
  className,
}: {
  term: string;
  note: string;
  value: string;
  strong?: boolean;
  inherit?: boolean;
  className?: string;
}) {
  return (
    <div className={cn('flex flex-wrap items-baseline gap-x-4', className)}>
      <dt>
        <span className={strong ? 'font-medium' : 'text-secondary'}>{term}</span>{' '}
        <span className={inherit ? 'text-sm' : 'text-faint text-sm'}>{note}</span>
      </dt>
      <dd className={cn('ml-auto', strong ? 'font-semibold' : 'text-secondary')}>{value}</dd>
    </div>
  );
}
