import { describe, expect, test } from 'vitest';
import type { LeadList } from '#contract/work/lists.ts';
import { aList } from '#web/test-data.ts';
import { changeListsView, type ListFilter, type ListSort, pageOfLists, readListsView } from './lists-view.ts';

const read = (query: string) => readListsView(new URLSearchParams(query));

describe('the address', () => {
  test('says nothing about defaults', () => {
    expect(read('')).toEqual({ lifecycle: 'active', filter: 'all', sort: 'recent', search: '', page: 1 });
    expect(changeListsView(read(''), { sort: 'recent' }).toString()).toBe('');
  });

  test('is read back as it was written', () => {
    const query = 'view=archived&filter=emails&sort=name&q=caf%C3%A9&page=3';
    expect(changeListsView(read(query), { page: 3 }).toString()).toBe(query);
  });

  test.each(['page=0', 'page=-1', 'page=x', 'sort=size', 'filter=none', 'view=gone'])(
    '%s is not understood',
    (query) => {
      expect(read(query)).toEqual(read(''));
    },
  );

  test('another filter, order or search goes back to the first page', () => {
    expect(changeListsView(read('page=4'), { sort: 'oldest' }).get('page')).toBeNull();
  });

  test('toggle and filter never contradict each other', () => {
    expect(read('filter=archived').lifecycle).toBe('archived');
    expect(read(changeListsView(read(''), { filter: 'archived' }).toString()).lifecycle).toBe('archived');
    const back = read(changeListsView(read('filter=archived'), { lifecycle: 'active' }).toString());
    expect(back).toMatchObject({ lifecycle: 'active', filter: 'all' });
  });
});

test.each<ListFilter>(['all', 'emails'])('after the filter Archived, %s shows active lists again', (filter) => {
  const archived = read(changeListsView(read('sort=name'), { filter: 'archived' }).toString());
  const back = read(changeListsView(archived, { filter }).toString());
  expect(back).toMatchObject({ lifecycle: 'active', filter, sort: 'name' });
});

test('a filter inside the archived lists stays there', () => {
  const archived = read(changeListsView(read(''), { lifecycle: 'archived' }).toString());
  expect(read(changeListsView(archived, { filter: 'emails' }).toString()).lifecycle).toBe('archived');
});

describe('the lists of a page', () => {
  const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`;
  const lists = [
    aList({ id: 'a', name: 'bakeries 10', createdAt: at(1), leadCount: 5 }),
    aList({ id: 'b', name: 'Bakeries 9', createdAt: at(3), leadCount: 60, tier2Complete: true }),
    aList({ id: 'c', name: 'zoos', createdAt: at(2), leadCount: 20, hasContacts: true, complianceChecked: true }),
    aList({ id: 'd', name: 'old', createdAt: at(4), archived: true }),
  ];
  const ids = (query: string) => pageOfLists(lists, read(query)).lists.map(({ id }) => id);

  test.each<[ListSort, string[]]>([
    ['recent', ['b', 'c', 'a']],
    ['oldest', ['a', 'c', 'b']],
    ['most_leads', ['b', 'c', 'a']],
    ['name', ['b', 'a', 'c']],
  ])('sorted by %s', (sort, expected) => {
    expect(ids(`sort=${sort}`)).toEqual(expected);
  });

  test.each<[ListFilter, string[]]>([
    ['all', ['b', 'c', 'a']],
    ['tier1', ['c', 'a']],
    ['emails', ['b']],
    ['contacts', ['b', 'c']],
    ['compliance', ['c']],
    ['active', ['b', 'c', 'a']],
    ['archived', ['d']],
  ])('filtered by %s', (filter, expected) => {
    expect(ids(`filter=${filter}`)).toEqual(expected);
  });

  test('a name search ignores case', () => {
    expect(ids('q=%20BAKER')).toEqual(['b', 'a']);
  });

  test('thirty to a page; an address beyond the end shows the last page', () => {
    const many: LeadList[] = Array.from({ length: 61 }, (_, index) => aList({ id: String(index) }));
    const last = pageOfLists(many, read('page=9'));
    expect(last).toMatchObject({ page: 3, total: 61 });
    expect(last.lists).toHaveLength(1);
  });
});
