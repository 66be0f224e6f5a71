import { expect, test } from 'vitest';
import { LeadRow, readLead } from '#contract/work/leads.ts';
import { changeLeadsView, leadsContaining, nextSort, readLeadsView } from './leads-view.ts';

const read = (query: string) => readLeadsView(new URLSearchParams(query));

test('the address is read back as it was written', () => {
  const query = 'sort=ownerName.desc&q=smile&page=2';
  expect(changeLeadsView(read(query), { page: 2 }).toString()).toBe(query);
});

test.each(['sort=address.asc', 'sort=', 'page=0', 'page=two'])('%s is not understood', (query) => {
  expect(read(query)).toEqual({ sort: undefined, search: '', page: 1 });
});

test('a click turns the sorted column around; another one starts ascending', () => {
  const first = nextSort(undefined, 'email');
  expect(first).toEqual({ column: 'email', direction: 'asc' });
  expect(nextSort(first, 'email')).toEqual({ column: 'email', direction: 'desc' });
  expect(nextSort({ column: 'email', direction: 'desc' }, 'email')).toEqual({ column: 'email', direction: 'asc' });
  expect(nextSort({ column: 'email', direction: 'desc' }, 'phone')).toEqual({ column: 'phone', direction: 'asc' });
});

test('another order goes back to the first page', () => {
  expect(changeLeadsView(read('page=3'), { sort: { column: 'phone', direction: 'asc' } }).get('page')).toBeNull();
});

test('a text is looked for in every written column, whatever its case', () => {
  const lead = (row: object) => readLead(LeadRow.parse({ id: 'x', business_name: 'Harbour Dental', ...row }));
  const leads = [
    lead({ owner_name: 'Ada Sample' }),
    lead({ email: 'bo@harbour.example' }),
    lead({ business_name: 'Zoo' }),
  ];
  expect(leadsContaining(leads, ' ADA ')).toEqual([leads[0]]);
  expect(leadsContaining(leads, 'harbour')).toEqual([leads[0], leads[1]]);
  expect(leadsContaining(leads, '')).toBe(leads);
});
