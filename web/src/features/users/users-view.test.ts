import { expect, test } from 'vitest';
import type { AdminUser } from '#contract/admin/users.ts';
import { pageOfUsers, type UserSort, usersByEmail } from './users-view.ts';

const user = (email: string, fields: Partial<AdminUser> = {}): AdminUser => ({
  id: email,
  email,
  role: 'user',
  status: 'active',
  last_sign_in_at: null,
  second_step: false,
  keap_tag_status: null,
  ...fields,
});
const ordered = usersByEmail([
  user('cleo', { role: 'admin', last_sign_in_at: '2026-11-02T00:00:00Z', keap_tag_status: 'granted' }),
  user('bo', { status: 'disabled', keap_tag_status: 'MISSING_TAG' }),
  user('dan', { last_sign_in_at: '2026-11-01T00:00:00Z' }),
  user('ann', { role: 'admin' }),
]);
const emails = (column: UserSort, direction: 'asc' | 'desc', search = '') =>
  pageOfUsers(ordered, { sort: { column, direction }, search, page: 1 }).users.map(({ email }) => email);

test.each([
  ['email', 'asc', ['ann', 'bo', 'cleo', 'dan']],
  ['email', 'desc', ['dan', 'cleo', 'bo', 'ann']],
  ['role', 'asc', ['ann', 'cleo', 'bo', 'dan']],
  ['role', 'desc', ['bo', 'dan', 'ann', 'cleo']],
  ['status', 'desc', ['bo', 'ann', 'cleo', 'dan']],
  ['lastLogin', 'asc', ['ann', 'bo', 'dan', 'cleo']],
  ['lastLogin', 'desc', ['cleo', 'dan', 'ann', 'bo']],
  ['crm', 'asc', ['ann', 'dan', 'bo', 'cleo']],
] as const)('by %s, %s: equals by address', (column, direction, expected) => {
  expect(emails(column, direction)).toEqual(expected);
});

test('a search leaves what contains it, and the last page there is', () => {
  expect(emails('email', 'desc', ' N')).toEqual(['dan', 'ann']);
  expect(pageOfUsers(ordered, { sort: { column: 'email', direction: 'asc' }, search: '', page: 9 })).toMatchObject({
    page: 1,
    total: 4,
  });
});
