import { CheckCheck, Clock, PhoneOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SheetCounts } from '#contract/calling/calls.ts';
import { plural } from '#web/lib/format/format.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { ShownSheet } from './held-lead.ts';
import { timeIn } from './local-time.ts';

/** "12 leads left · 3 done · 1 to call back · 1 without an outcome" */
export function CountsText({ counts: { left, done, callBacks, open } }: { counts: SheetCounts }) {
  return (
    <p role="status" className="text-secondary tabular-nums">
      {[
        `${plural(left, 'lead')} left`,
        `${done} done`,
        ...(callBacks > 0 ? [`${callBacks} to call back`] : []),
        ...(open > 0 ? [`${open} without an outcome`] : []),
      ].join(' · ')}
    </p>
  );
}

const HELD = {
  not_now: 'outside their hours, or called as often as the rules allow',
  review: 'to be reviewed, because sources or zones disagree',
  unknown: 'unknown, because something needed is missing',
  blocked: 'blocked, by the lists or a law',
} as const;

const unchecked = (count: number): string[] =>
  count > 0 ? [`${plural(count, 'number')} not checked against the lists, or too long ago`] : [];

const checkFirst = (text: string): string => `${text}. Check compliance first.`;

/** Says why there is no lead to call. `back`: where to go from here. */
export function NoLead({
  sheet,
  now,
  back,
}: {
  sheet: Exclude<ShownSheet, { state: 'lead' }>;
  now: number;
  back: ReactNode;
}) {
  if (sheet.state === 'done')
    return (
      <EmptyState
        icon={CheckCheck}
        title="All leads of this list are called"
        description={[`${plural(sheet.counts.done, 'lead')} called.`, ...unchecked(sheet.counts.unchecked)].join(' ')}
        action={back}
      />
    );
  if (sheet.state === 'empty')
    return (
      <EmptyState
        icon={PhoneOff}
        title="There is no one to call"
        description={
          sheet.counts.unchecked > 0
            ? unchecked(sheet.counts.unchecked).map(checkFirst).join('')
            : 'No lead of this list has a number that may be called.'
        }
        action={back}
      />
    );
  const held = Object.entries(HELD).flatMap(([verdict, words]) => {
    const count = sheet.held[verdict as keyof typeof HELD];
    return count > 0 ? [`${count} ${words}`] : [];
  });
  const { open } = sheet.counts;
  const others = [
    ...(sheet.inUse > 0 ? [`${sheet.inUse} on another call sheet or in a call`] : []),
    ...(open > 0 ? [`${plural(open, 'call')} without an outcome, on another call sheet`] : []),
  ];
  return (
    <EmptyState
      icon={Clock}
      title="No one may be called now"
      description={
        <>
          {sheet.nextAt ? (
            <span className="block text-foreground">
              The next call may begin {timeIn(undefined, sheet.nextAt, now)} (your time). This page updates by itself.
            </span>
          ) : null}
          {[...held, ...others, ...unchecked(sheet.counts.unchecked).map(checkFirst)].map((line) => (
            <span key={line} className="block tabular-nums">
              {line}
            </span>
          ))}
        </>
      }
      action={back}
    />
  );
}
