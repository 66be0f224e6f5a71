import type { ReactNode } from 'react';
import type { Usage, UsageYield } from '#contract/money/usage.ts';
import { formatCount, formatMoney, formatRate, plural } from '#web/lib/format/format.ts';

/** The figures of a period that matter most, each with what it is made of. */
export function UsageTotals({ usage }: { usage: Usage }) {
  const { totals, businesses, emails, verifications, phones } = usage;
  return (
    <dl className="grid grid-cols-1 gap-px overflow-hidden rounded-lg border bg-border tabular-nums min-[24rem]:grid-cols-2 lg:grid-cols-3">
      <Figure label="Spent" value={formatMoney(totals.costMicros)}>
        {`${plural(totals.calls, 'call')}${totals.failed > 0 ? `, ${formatCount(totals.failed)} of them failed` : ''}`}
      </Figure>
      <Figure label="Saved by remembering" value={formatMoney(totals.savedMicros)}>
        {totals.recalled > 0 ? `${plural(totals.recalled, 'result')} reused at no cost` : 'No result was needed twice'}
      </Figure>
      <Figure
        label="Not certain"
        value={formatMoney(totals.uncertainMicros)}
        className={totals.uncertain > 0 ? 'text-warning' : undefined}
      >
        {totals.uncertain > 0
          ? `${plural(totals.uncertain, 'lost result')}, counted as spent until settled`
          : 'No result was lost'}
      </Figure>
      <Yield label="Per business found" of={businesses} one="place found" many="places found" verb="kept" />
      <Yield
        label="Per email found"
        of={emails}
        one="lead with a website"
        many="leads with a website"
        verb="with an email"
      />
      <Yield
        label="Per email verified"
        of={verifications}
        one="email to verify"
        many="emails to verify"
        verb="with a result"
      />
      <Yield label="Per phone cleared" of={phones} one="number checked" many="numbers checked" verb="safe" />
    </dl>
  );
}

function Yield({
  label,
  of: { asked, found, costMicros },
  one,
  many,
  verb,
}: {
  label: string;
  of: UsageYield;
  one: string;
  many: string;
  verb: string;
}) {
  return (
    <Figure label={label} value={found > 0 ? formatRate(costMicros / found) : '–'}>
      {asked > 0
        ? `${plural(asked, one, many)}, ${formatCount(found)} ${verb} (${Math.round((found / asked) * 100)}%)`
        : 'Nothing yet'}
    </Figure>
  );
}

function Figure({
  label,
  value,
  className,
  children,
}: {
  label: string;
  value: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="grid content-start gap-0.5 bg-surface px-4 py-3 last:min-[24rem]:col-span-2 last:lg:col-span-3">
      <dt className="text-secondary text-sm">{label}</dt>
      <dd className={`font-semibold text-xl tracking-tight ${className ?? ''}`}>{value}</dd>
      <dd className="text-faint text-sm">{children}</dd>
    </div>
  );
}
