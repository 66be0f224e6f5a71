import { AUDIT_GROUPS, type AuditFilter, type AuditGroup } from '#contract/admin/audit.ts';

/** What the address says about the table. `from` and `to` are days of the reader's clock (2026-11-21), both included. */
export type AuditView = {
  group: AuditGroup | undefined;
  actor: string;
  target: string;
  from: string;
  to: string;
  /** The line that the page follows; undefined on the newest. */
  before: string | undefined;
};

/** How an account, an address or a day is narrowed to, apart from the page. */
export const NO_FILTER: AuditView = { group: undefined, actor: '', target: '', from: '', to: '', before: undefined };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const dayOf = (text: string | null): string =>
  text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

/** Reads the view from the address; whatever is not understood is left out. */
export function readAuditView(params: URLSearchParams): AuditView {
  const before = params.get('before') ?? '';
  return {
    group: AUDIT_GROUPS.find((group) => group === params.get('group')),
    actor: params.get('actor') ?? '',
    target: params.get('target') ?? '',
    from: dayOf(params.get('from')),
    to: dayOf(params.get('to')),
    before: /^\d{1,15}$/.test(before) ? before : undefined,
  };
}

/** The address of `current` after `change`; another filter goes back to the newest lines. */
export function changeAuditView(current: AuditView, change: Partial<AuditView>): URLSearchParams {
  const next = { ...current, before: undefined, ...change };
  return new URLSearchParams(Object.entries(next).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

export const isFiltered = ({ group, actor, target, from, to }: AuditView): boolean =>
  group !== undefined || [actor, target, from, to].some((text) => text.trim() !== '');

/** The filter as the server takes it: moments instead of days, and only what is set. */
export function filterOf({ group, actor, target, from, to }: AuditView): AuditFilter {
  return {
    ...(group ? { group } : {}),
    ...(actor.trim() ? { actor: actor.trim() } : {}),
    ...(target.trim() ? { target: target.trim() } : {}),
    ...(from ? { from: startOf(from, 0) } : {}),
    ...(to ? { to: startOf(to, 1) } : {}),
  };
}

/** Midnight of the reader's clock, `later` days after `day`. */
function startOf(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
