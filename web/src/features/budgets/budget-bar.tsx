import type { Money } from '#contract/money/budgets.ts';
import { formatMoney } from '#web/lib/format/format.ts';

/** What is spent and held of a limit (micro-dollars), in words and as a thin bar. Without a limit only the words. */
export function BudgetBar({ money, limit, sandbox }: { money: Money; limit: number | null; sandbox: boolean }) {
  const { spentMicros, reservedMicros } = money;
  const share = (micros: number) => `${limit ? Math.min(100, (micros / limit) * 100) : 0}%`;
  return (
    <div className="grid gap-1">
      {limit === null ? null : (
        <div aria-hidden className="flex h-1 overflow-hidden rounded-full bg-hover">
          <span className="bg-secondary" style={{ width: share(spentMicros) }} />
          <span className="bg-secondary/40" style={{ width: share(reservedMicros) }} />
        </div>
      )}
      <p className="text-faint text-sm tabular-nums">
        {sandbox ? 'Sandbox: ' : ''}
        {formatMoney(spentMicros)} spent
        {reservedMicros > 0 ? ` · ${formatMoney(reservedMicros)} held for runs under way` : ''}
        {limit === null ? '' : ` · limit ${formatMoney(limit)}`}
      </p>
    </div>
  );
}
