import { expect, test } from 'vitest';
import { optOutColumns } from './import-words.ts';

const columns = (...headers: string[]) => headers.map((header) => ({ header }));

test('knows columns that say who must not be contacted, however programs write them', () => {
  const said = [
    'Do Not Call',
    'DO_NOT_CALL',
    'doNotContact',
    "Don't email",
    'DNC?',
    'Opted Out',
    'opt-out',
    'Unsubscribed',
    'Suppressed',
    'Is Litigator',
  ];
  expect(optOutColumns(columns(...said))).toEqual(said);
});

test('takes no other column for one', () => {
  expect(optOutColumns(columns('Phone', 'Call notes', 'Email', 'Options', 'Opted in', 'Outlet'))).toEqual([]);
});
