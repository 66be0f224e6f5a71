import type { AdminUser } from '#contract/admin/users.ts';

export const USERS_PAGE_SIZE = 25;

export const USER_SORTS = ['email', 'role', 'status', 'lastLogin', 'crm'] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** The columns' headings. */
export const USER_SORT_LABEL: Record<UserSort, string> = {
  email: 'Email',
  role: 'Role',
  status: 'Status',
  lastLogin: 'Last Login',
  crm: 'CRM',
};

/** What the address says about the table. Pages count from 1. */
export type UsersView = { sort: { column: UserSort; direction: 'asc' | 'desc' }; search: string; page: number };

const DEFAULT_SORT: UsersView['sort'] = { column: 'email', direction: 'asc' };

/** Reads the view from the address; whatever is not understood becomes the default. */
export function readUsersView(params: URLSearchParams): UsersView {
  const [name, direction] = (params.get('sort') ?? '').split('.');
  const column = USER_SORTS.find((candidate) => candidate === name);
  const page = Number.parseInt(params.get('page') ?? '', 10);
  return {
    sort: column ? { column, direction: direction === 'desc' ? 'desc' : 'asc' } : DEFAULT_SORT,
    search: params.get('q') ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The address of `current` after `change`; another sort or search goes back to the first page. */
export function changeUsersView(current: UsersView, change: Partial<UsersView>): URLSearchParams {
  const { sort, search, page } = { ...current, page: 1, ...change };
  const params = new URLSearchParams();
  if (sort.column !== DEFAULT_SORT.column || sort.direction !== DEFAULT_SORT.direction)
    params.set('sort', `${sort.column}.${sort.direction}`);
  if (search !== '') params.set('q', search);
  if (page > 1) params.set('page', String(page));
  return params;
}

/** A click on a heading: the sorted column turns around, another one starts ascending. */
export function nextUserSort(current: UsersView['sort'], column: UserSort): UsersView['sort'] {
  const turn = current.column === column && current.direction === 'asc';
  return { column, direction: turn ? 'desc' : 'asc' };
}

type Order = (a: AdminUser, b: AdminUser) => number;
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const byEmail: Order = (a, b) => collator.compare(a.email, b.email);
// Not by the collator, which takes too long for ten thousand users at a click.
const byText =
  (textOf: (user: AdminUser) => string): Order =>
  (a, b) => {
    const [one, other] = [textOf(a), textOf(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  };
const ORDERS: Record<UserSort, Order> = {
  email: byEmail,
  role: byText(({ role }) => role),
  status: byText(({ status }) => status),
  // ISO times compare as text; those who never came stand before the first who did.
  lastLogin: byText((user) => user.last_sign_in_at ?? ''),
  crm: byText((user) => user.keap_tag_status ?? ''),
};

/** `page` is the last one when the address asks for more than there are; `total` counts the matches on all pages. */
export type UsersPage = { users: AdminUser[]; total: number; page: number };

/** All users by address, once for every page of them. */
export const usersByEmail = (all: readonly AdminUser[]): AdminUser[] => all.toSorted(byEmail);

/** The users to show for a view, of those in the order of `usersByEmail`. */
export function pageOfUsers(ordered: readonly AdminUser[], { search, sort, page: wanted }: UsersView): UsersPage {
  const needle = search.trim().toLowerCase();
  const order = ORDERS[sort.column];
  const matching = ordered.filter(({ email }) => email.toLowerCase().includes(needle));
  // Equals keep the order of their addresses in both directions.
  if (sort.column !== 'email') matching.sort(sort.direction === 'asc' ? order : (a, b) => order(b, a));
  else if (sort.direction === 'desc') matching.reverse();
  const page = Math.min(wanted, Math.max(1, Math.ceil(matching.length / USERS_PAGE_SIZE)));
  return { users: matching.slice((page - 1) * USERS_PAGE_SIZE, page * USERS_PAGE_SIZE), total: matching.length, page };
}
