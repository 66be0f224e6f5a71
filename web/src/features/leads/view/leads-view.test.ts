import { expect, test } from 'vitest';
import { changeLeadsView, isFiltered, nextSort, readLeadsView } from './leads-view.ts';

const read = (query: string) => readLeadsView(new URLSearchParams(query));

test('the address is read back as it was written', () => {
  const query =
    'sort=ownerName.desc&q=smile&has=email&lacks=website&verdict=expired&city=Peoria&zip=61602&confidence=90&since=2026-11-01&rows=all&page=2';
  expect(changeLeadsView(read(query), { page: 2 }).toString()).toBe(query);
});

test.each(['sort=address.asc', 'sort=', 'page=0', 'page=two', 'zip=6160', 'has=fax', 'confidence=120', 'since=today'])(
  '%s is not understood',
  (query) => {
    expect(read(query)).toEqual({ sort: undefined, filter: {}, page: 1, rows: 'page', map: false });
  },
);

test('a click turns the sorted column around; another one starts ascending', () => {
  const first = nextSort(undefined, 'email');
  expect(first).toEqual({ column: 'email', direction: 'asc' });
  expect(nextSort(first, 'email')).toEqual({ column: 'email', direction: 'desc' });
  expect(nextSort({ column: 'email', direction: 'desc' }, 'email')).toEqual({ column: 'email', direction: 'asc' });
  expect(nextSort({ column: 'email', direction: 'desc' }, 'phone')).toEqual({ column: 'phone', direction: 'asc' });
});

test('another order or filter goes back to the first page', () => {
  expect(changeLeadsView(read('page=3'), { sort: { column: 'phone', direction: 'asc' } }).get('page')).toBeNull();
  expect(changeLeadsView(read('page=3'), { filter: { q: 'smile' } }).toString()).toBe('q=smile');
});

test('a filter that says nothing filters nothing', () => {
  expect(isFiltered({ q: undefined })).toBe(false);
  expect(isFiltered({ lacks: 'website' })).toBe(true);
});
