import type { Lead } from '#contract/work/leads.ts';

export const LEAD_SORTS = ['businessName', 'phone', 'email', 'ownerName'] as const;
export type LeadSort = (typeof LEAD_SORTS)[number];

/** What the address says about the table. Pages count from 1; without a sort, leads stand in the order they were found. */
export type LeadsView = {
  sort: { column: LeadSort; direction: 'asc' | 'desc' } | undefined;
  search: string;
  page: number;
};

/** Reads the view from the address; whatever is not understood is left out. */
export function readLeadsView(params: URLSearchParams): LeadsView {
  const [name, direction] = (params.get('sort') ?? '').split('.');
  const column = LEAD_SORTS.find((candidate) => candidate === name);
  const page = Number.parseInt(params.get('page') ?? '', 10);
  return {
    sort: column ? { column, direction: direction === 'desc' ? 'desc' : 'asc' } : undefined,
    search: params.get('q') ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The address of `current` after `change`; another sort or search goes back to the first page. */
export function changeLeadsView(current: LeadsView, change: Partial<LeadsView>): URLSearchParams {
  const next = { ...current, page: 1, ...change };
  const params = new URLSearchParams();
  if (next.sort) params.set('sort', `${next.sort.column}.${next.sort.direction}`);
  if (next.search !== '') params.set('q', next.search);
  if (next.page > 1) params.set('page', String(next.page));
  return params;
}

/** A click on a heading: the sorted column turns around, another one starts ascending. */
export function nextSort(current: LeadsView['sort'], column: LeadSort): NonNullable<LeadsView['sort']> {
  const turn = current?.column === column && current.direction === 'asc';
  return { column, direction: turn ? 'desc' : 'asc' };
}

/** The text that a filter is looked for in. */
const searchable = (lead: Lead): string =>
  [lead.businessName, lead.phone, lead.address, lead.website, lead.email, lead.ownerName, lead.ownerTitle]
    .join('\n')
    .toLocaleLowerCase();

/** The leads that contain `text`, in any of their written columns. */
export function leadsContaining(leads: readonly Lead[], text: string): readonly Lead[] {
  const needle = text.trim().toLocaleLowerCase();
  return needle === '' ? leads : leads.filter((lead) => searchable(lead).includes(needle));
}
