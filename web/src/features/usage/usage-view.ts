import { MONEY, type Money, USAGE_MOST_DAYS } from '#contract/money/usage.ts';

const PERIODS = ['month', 'last-month', '30-days', 'custom'] as const;
export type Period = (typeof PERIODS)[number];

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What the address says about the page. Days (2026-11-21) are those of UTC, both included. */
export type UsageView = { period: Period; from: string; to: string; money: Money | undefined };

/** Reads the view from the address at `now` (ms); whatever is not understood counts as this month. */
export function readUsageView(params: URLSearchParams, now: number = Date.now()): UsageView {
  const period = PERIODS.find((one) => one === params.get('period')) ?? 'month';
  const money = MONEY.find((one) => one === params.get('money'));
  const month = daysOf('month', now);
  if (period !== 'custom') return { period, money, ...daysOf(period, now) };
  return { period, money, from: dayOf(params.get('from')) ?? month.from, to: dayOf(params.get('to')) ?? month.to };
}

/** The address of `current` after `change`. Only days that someone chose stand in it: the others move on with the calendar. */
export function changeUsageView(current: UsageView, change: Partial<UsageView>): URLSearchParams {
  const { period, money, from, to } = { ...current, ...change };
  const params = new URLSearchParams();
  if (period !== 'month') params.set('period', period);
  if (period === 'custom') {
    params.set('from', from);
    params.set('to', to);
  }
  if (money) params.set('money', money);
  return params;
}

/** Why a period cannot be added up; nothing where it can. */
export function periodProblem({ from, to }: Pick<UsageView, 'from' | 'to'>): string | undefined {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days < 0) return 'The first day is after the last day.';
  return days < USAGE_MOST_DAYS ? undefined : `A period is at most ${USAGE_MOST_DAYS} days long.`;
}

/** Every day of a period, in order. */
export function daysIn({ from, to }: Pick<UsageView, 'from' | 'to'>): string[] {
  const length = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, length) }, (_, index) => isoDay(Date.parse(from) + index * DAY_MS));
}

function daysOf(period: Exclude<Period, 'custom'>, now: number): Pick<UsageView, 'from' | 'to'> {
  const today = isoDay(now);
  if (period === '30-days') return { from: isoDay(now - 29 * DAY_MS), to: today };
  const first = `${today.slice(0, 8)}01`;
  if (period === 'month') return { from: first, to: today };
  const last = isoDay(Date.parse(first) - DAY_MS);
  return { from: `${last.slice(0, 8)}01`, to: last };
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
const dayOf = (text: string | null): string | undefined =>
  text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
