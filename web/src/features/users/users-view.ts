import type { AdminUser } from '#contract/admin-users.ts';

export const USERS_PAGE_SIZE = 25;

export const USER_SORTS = ['email', 'role', 'status', 'lastLogin'] as const;
export type UserSort = (typeof USER_SORTS)[number];

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

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const byEmail = (a: AdminUser, b: AdminUser) => collator.compare(a.email, b.email);
const ORDERS: Record<UserSort, (a: AdminUser, b: AdminUser) => number> = {
  email: byEmail,
  role: (a, b) => a.role.localeCompare(b.role),
  status: (a, b) => a.status.localeCompare(b.status),
  // ISO times compare as text; those who never came stand before the first who did.
  lastLogin: (a, b) => collator.compare(a.last_sign_in_at ?? '', b.last_sign_in_at ?? ''),
};

/** `page` is the last one when the address asks for more than there are; `total` counts the matches on all pages. */
export type UsersPage = { users: AdminUser[]; total: number; page: number };

/** The users to show for a view. */
export function pageOfUsers(all: readonly AdminUser[], { search, sort, page: wanted }: UsersView): UsersPage {
  const needle = search.trim().toLowerCase();
  const order = ORDERS[sort.column];
  const matching = all
    .filter(({ email }) => email.toLowerCase().includes(needle))
    .sort((a, b) => (sort.direction === 'asc' ? order(a, b) : order(b, a)) || byEmail(a, b));
  const page = Math.min(wanted, Math.max(1, Math.ceil(matching.length / USERS_PAGE_SIZE)));
  return { users: matching.slice((page - 1) * USERS_PAGE_SIZE, page * USERS_PAGE_SIZE), total: matching.length, page };
}
