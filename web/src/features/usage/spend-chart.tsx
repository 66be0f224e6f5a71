import { useId } from 'react';
import type { UsageDay } from '#contract/money/usage.ts';
import { PROVIDER_CATALOGUE, PROVIDER_IDS, type ProviderId } from '#contract/providers.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#web/ui/table/table.tsx';

const days = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** A day of UTC (2026-11-21) as people write it: Nov 21, 2026. */
const dayLabel = (day: string): string => (day === '' ? '' : days.format(Date.parse(day)));

const HEIGHT = 120;
const STEP = 20;
const FILL: Record<ProviderId, string> = {
  google_places: 'fill-foreground bg-foreground',
  hunter_io: 'fill-control bg-control',
  searchbug: 'fill-muted bg-muted stroke-control [vector-effect:non-scaling-stroke]',
};

type DaySpend = { day: string; micros: Partial<Record<ProviderId, number>>; total: number };

/** What was spent on each day of a period, a bar for each, with the same figures as a table behind it. */
export function SpendChart({ days, spent }: { days: readonly string[]; spent: readonly UsageDay[] }) {
  const caption = useId();
  const byDay = days.map((day): DaySpend => {
    const parts = spent.filter((part) => part.day === day);
    return {
      day,
      micros: Object.fromEntries(parts.map((part) => [part.provider, part.costMicros])),
      total: parts.reduce((sum, part) => sum + part.costMicros, 0),
    };
  });
  const providers = PROVIDER_IDS.filter((id) => byDay.some(({ micros }) => micros[id]));
  const most = byDay.reduce((best, day) => (day.total > best.total ? day : best), { day: '', micros: {}, total: 0 });
  const first = days[0] ?? '';
  const last = days.at(-1) ?? '';
  return (
    <figure aria-labelledby={caption} className="grid grid-cols-1 gap-3 rounded-lg border bg-surface px-4 py-3">
      <figcaption id={caption} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="font-semibold">Spend by day</span>{' '}
        <span className="text-secondary text-sm tabular-nums">
          {most.total > 0
            ? `Most: ${formatMoney(most.total)} on ${dayLabel(most.day)}`
            : 'Nothing was charged on these days'}
        </span>
      </figcaption>
      <div>
        <svg
          aria-hidden
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-30 w-full border-b"
        >
          {byDay.map((day, index) => (
            <Bar key={day.day} day={day} x={index * STEP} most={most.total} />
          ))}
        </svg>
        <div className="mt-1 flex justify-between text-faint text-xs tabular-nums">
          <span>{dayLabel(first)}</span>
          {last !== first ? <span>{dayLabel(last)}</span> : null}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-secondary text-sm">
        <ul aria-label="Shades" className="flex flex-wrap gap-x-4 gap-y-1">
          {providers.map((id) => (
            <li key={id} className="flex items-center gap-1.5">
              <span aria-hidden className={`size-2.5 rounded-sm border border-control ${FILL[id]}`} />
              {PROVIDER_CATALOGUE[id].name}
            </li>
          ))}
        </ul>
      </div>
      <details className="group">
        <summary className="w-fit cursor-pointer rounded-sm text-secondary text-sm underline-offset-4 hover:underline">
          Show as a table
        </summary>
        <div className="mt-2">
          <DayTable days={byDay.filter((day) => day.total > 0)} providers={providers} />
        </div>
      </details>
    </figure>
  );
}

function Bar({ day, x, most }: { day: DaySpend; x: number; most: number }) {
  let top = HEIGHT;
  return (
    <g>
      <title>{`${dayLabel(day.day)}: ${formatMoney(day.total)}`}</title>
      {/* The whole column answers the pointer, also where the bar is low. */}
      <rect x={x} y={0} width={STEP} height={HEIGHT} className="fill-transparent hover:fill-muted" />
      {PROVIDER_IDS.map((id) => {
        const height = most > 0 ? ((day.micros[id] ?? 0) / most) * HEIGHT : 0;
        top -= height;
        return height > 0 ? (
          <rect
            key={id}
            x={x + STEP * 0.15}
            y={top}
            width={STEP * 0.7}
            height={height}
            className={`pointer-events-none ${FILL[id]}`}
          />
        ) : null;
      })}
    </g>
  );
}

function DayTable({ days, providers }: { days: readonly DaySpend[]; providers: readonly ProviderId[] }) {
  return (
    <Table label="Spend by day">
      <TableHeader>
        <tr>
          <TableHead>Day (UTC)</TableHead>
          {providers.map((id) => (
            <TableHead key={id} className="text-right">
              {PROVIDER_CATALOGUE[id].name}
            </TableHead>
          ))}
          <TableHead className="text-right">Total</TableHead>
        </tr>
      </TableHeader>
      <TableBody>
        {days.map(({ day, micros, total }) => (
          <TableRow key={day}>
            <TableCell className="whitespace-nowrap">{dayLabel(day)}</TableCell>
            {providers.map((id) => (
              <TableCell key={id} className="text-right tabular-nums">
                {formatMoney(micros[id] ?? 0)}
              </TableCell>
            ))}
            <TableCell className="text-right font-medium tabular-nums">{formatMoney(total)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
