import { formatMoney, formatRate, plural } from '#web/lib/format/format.ts';
import type { PriceLine } from '#web/lib/format/price-line.ts';
import { PriceBound } from '#web/ui/form/price-bound.tsx';
import type { CostBreakdown } from './enrichment-options.ts';

/** What is chosen costs at list price, and at most. `prices`: of what is chosen; none while nothing is. */
export function EnrichmentCost({
  count,
  breakdown: { lines, totalMicros },
  prices,
  capMicros,
}: {
  /** How many leads are meant. */
  count: number;
  breakdown: CostBreakdown;
  prices: readonly PriceLine[];
  capMicros: number | undefined;
}) {
  const isFree = totalMicros === 0 && lines.length > 0;
  return (
    <section aria-label="Cost" className="rounded-lg border">
      <p className="px-4 pt-3 font-medium">Estimated cost at list price</p>
      <dl aria-live="polite" className="grid gap-2 px-4 py-3 tabular-nums">
        {lines.map((line) => (
          <div key={line.label} className="flex flex-wrap items-baseline gap-x-4">
            <dt className="text-secondary">
              {line.label}{' '}
              <span className="text-faint text-sm">
                {line.perLeadMicros === 0
                  ? plural(count, 'lead')
                  : `${plural(count, 'lead')} × ${formatRate(line.perLeadMicros)}`}
              </span>
            </dt>
            <dd className="ml-auto text-secondary">
              {line.perLeadMicros === 0 ? 'Free' : formatMoney(line.totalMicros)}
            </dd>
          </div>
        ))}
        <div className="flex items-baseline justify-between gap-4 font-semibold">
          <dt>Total</dt>
          <dd>{isFree ? 'Free' : formatMoney(totalMicros)}</dd>
        </div>
      </dl>
      {prices.length === 0 ? null : (
        <div className="border-t px-4 py-3">
          <PriceBound lines={prices} capMicros={capMicros} />
        </div>
      )}
      {isFree ? null : (
        <p className="border-t px-4 py-2 text-faint text-sm">
          Your provider charges you directly, and only for what it finds or checks.
        </p>
      )}
    </section>
  );
}
