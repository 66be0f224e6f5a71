import { LeadFilter } from '#contract/work/lead-choice.ts';
import { LEAD_SORTS, type LeadSort } from '#contract/work/leads-of-list.ts';

/** What the address says about the table. Pages count from 1; without a sort, leads stand in the order they were found. */
export type LeadsView = {
  sort: { column: LeadSort; direction: 'asc' | 'desc' } | undefined;
  filter: LeadFilter;
  page: number;
  /** One page, or all leads in one table that scrolls. */
  rows: 'page' | 'all';
  /** Whether the map of the area stands beside the table. */
  map: boolean;
};

const FILTERS = LeadFilter.def.shape;

/** Reads the view from the address; whatever is not understood is left out. */
export function readLeadsView(params: URLSearchParams): LeadsView {
  const [name, direction] = (params.get('sort') ?? '').split('.');
  const column = LEAD_SORTS.find((candidate) => candidate === name);
  const page = Number.parseInt(params.get('page') ?? '', 10);
  return {
    sort: column ? { column, direction: direction === 'desc' ? 'desc' : 'asc' } : undefined,
    filter: readFilter(params),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    rows: params.get('rows') === 'all' ? 'all' : 'page',
    map: params.has('map'),
  };
}

function readFilter(params: URLSearchParams): LeadFilter {
  const known = Object.entries(FILTERS).flatMap(([name, schema]) => {
    const read = schema.safeParse(params.get(name) || undefined);
    return read.success && read.data !== undefined ? [[name, read.data] as const] : [];
  });
  return Object.fromEntries(known);
}

/** The address of `current` after `change`; another sort or filter goes back to the first page. */
export function changeLeadsView(current: LeadsView, change: Partial<LeadsView>): URLSearchParams {
  const next = { ...current, page: 1, ...change };
  const params = new URLSearchParams();
  if (next.sort) params.set('sort', sortText(next.sort));
  for (const [name, value] of Object.entries(next.filter))
    if (value !== undefined && value !== '') params.set(name, String(value));
  if (next.rows === 'all') params.set('rows', 'all');
  if (next.map) params.set('map', '1');
  if (next.page > 1) params.set('page', String(next.page));
  return params;
}

export const sortText = ({ column, direction }: NonNullable<LeadsView['sort']>): string => `${column}.${direction}`;

/** A click on a heading: the sorted column turns around, another one starts ascending. */
export function nextSort(current: LeadsView['sort'], column: LeadSort): NonNullable<LeadsView['sort']> {
  const turn = current?.column === column && current.direction === 'asc';
  return { column, direction: turn ? 'desc' : 'asc' };
}

/** Whether some leads are left out. */
export const isFiltered = (filter: LeadFilter): boolean => Object.values(filter).some((value) => value !== undefined);
