import { type LeadList, LISTS_PAGE_SIZE } from '#contract/work/lists.ts';
import { onDemand } from '#web/lib/format/on-demand.ts';

export const LIST_SORTS = ['recent', 'oldest', 'most_leads', 'name'] as const;
export type ListSort = (typeof LIST_SORTS)[number];
export const LIST_SORT_LABEL: Record<ListSort, string> = {
  recent: 'Recent',
  oldest: 'Oldest',
  most_leads: 'Most leads',
  name: 'Name A-Z',
};

export const LIST_FILTERS = ['all', 'tier1', 'emails', 'contacts', 'compliance', 'active', 'archived'] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];
export const LIST_FILTER_LABEL: Record<ListFilter, string> = {
  all: 'All',
  tier1: 'Tier 1 only',
  emails: 'Has emails',
  contacts: 'Has contacts',
  compliance: 'Compliance checked',
  active: 'Active',
  archived: 'Archived',
};

type Lifecycle = 'active' | 'archived';

/** What the address says about the list view. Pages count from 1. */
export type ListsView = { lifecycle: Lifecycle; filter: ListFilter; sort: ListSort; search: string; page: number };

const DEFAULTS: ListsView = { lifecycle: 'active', filter: 'all', sort: 'recent', search: '', page: 1 };

const oneOf = <T extends string>(choices: readonly T[], value: string | null, otherwise: T): T =>
  choices.find((choice) => choice === value) ?? otherwise;

const isLifecycle = (filter: ListFilter): filter is Lifecycle => filter === 'active' || filter === 'archived';

/** Reads the view from the address; whatever is not understood becomes the default. */
export function readListsView(params: URLSearchParams): ListsView {
  const filter = oneOf(LIST_FILTERS, params.get('filter'), DEFAULTS.filter);
  const lifecycle = oneOf(['active', 'archived'], params.get('view'), DEFAULTS.lifecycle);
  const page = Number.parseInt(params.get('page') ?? '', 10);
  return {
    // The two filters that name a lifecycle and the toggle are one choice: they cannot contradict each other.
    lifecycle: isLifecycle(filter) ? filter : lifecycle,
    filter,
    sort: oneOf(LIST_SORTS, params.get('sort'), DEFAULTS.sort),
    search: params.get('q') ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The address of `current` after `change`. Whatever narrows or reorders the lists goes back to the first page. */
export function changeListsView(current: ListsView, change: Partial<ListsView>): URLSearchParams {
  const next = { ...current, page: 1, ...change };
  if (change.lifecycle && isLifecycle(next.filter)) next.filter = DEFAULTS.filter;
  if (change.filter && isLifecycle(change.filter)) next.lifecycle = change.filter;
  // A filter that had moved the toggle takes its move along.
  else if (change.filter && isLifecycle(current.filter)) next.lifecycle = DEFAULTS.lifecycle;
  const params = new URLSearchParams();
  if (next.lifecycle !== DEFAULTS.lifecycle) params.set('view', next.lifecycle);
  if (next.filter !== DEFAULTS.filter) params.set('filter', next.filter);
  if (next.sort !== DEFAULTS.sort) params.set('sort', next.sort);
  if (next.search !== '') params.set('q', next.search);
  if (next.page > 1) params.set('page', String(next.page));
  return params;
}

const FILTERS: Record<ListFilter, (list: LeadList) => boolean> = {
  all: () => true,
  tier1: (list) => list.tier1Complete && !list.tier2Complete && !list.tier3Complete && !list.tier4Complete,
  emails: (list) => list.tier2Complete || list.hasEmails,
  contacts: (list) => list.tier3Complete || list.tier2Complete || list.hasContacts,
  compliance: (list) => list.complianceChecked,
  active: () => true,
  archived: () => true,
};

const byName = onDemand(() => new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }));
const newestFirst = (a: LeadList, b: LeadList) => Date.parse(b.createdAt) - Date.parse(a.createdAt);
const ORDERS: Record<ListSort, (a: LeadList, b: LeadList) => number> = {
  recent: newestFirst,
  oldest: (a, b) => newestFirst(b, a),
  most_leads: (a, b) => b.leadCount - a.leadCount || newestFirst(a, b),
  name: (a, b) => byName().compare(a.name, b.name) || newestFirst(a, b),
};

export type ListsPage = {
  lists: LeadList[];
  /** How many lists match, on all pages. */
  total: number;
  /** The page shown: the last one when the address asks for more than there are. */
  page: number;
  /** Lists in this lifecycle, whatever the filter and the search say. */
  unfiltered: number;
};

/** The lists to show for a view. */
export function pageOfLists(all: readonly LeadList[], view: ListsView): ListsPage {
  const inLifecycle = all.filter((list) => list.archived === (view.lifecycle === 'archived'));
  const needle = view.search.trim().toLocaleLowerCase();
  const matching = inLifecycle
    .filter((list) => FILTERS[view.filter](list) && list.name.toLocaleLowerCase().includes(needle))
    .sort(ORDERS[view.sort]);
  const page = Math.min(view.page, Math.max(1, Math.ceil(matching.length / LISTS_PAGE_SIZE)));
  return {
    lists: matching.slice((page - 1) * LISTS_PAGE_SIZE, page * LISTS_PAGE_SIZE),
    total: matching.length,
    page,
    unfiltered: inLifecycle.length,
  };
}
