import { expect, test } from 'vitest';
import { optOutColumns, sheetNames } from './import-words.ts';

const found = (...headers: string[]) =>
  optOutColumns({ columns: headers.map((header) => ({ header, guess: 'extra', sample: [] })), mapping: {} });

test('knows columns that say who must not be called, and who must not be contacted otherwise, however programs write them', () => {
  const heeded = [
    'Do Not Call',
    'DO_NOT_CALL',
    'doNotContact',
    'DNC?',
    'Opted Out',
    'opt-out',
    'Suppressed',
    'Is Litigator',
    'Do not allow Phone Calls',
    'DND',
  ];
  const others = ["Don't email", 'Unsubscribed', 'Email Opt Out', 'DND SMS', 'Do not allow Bulk Emails', 'Consent'];
  const leave = ['OK to call', 'OkToCall', 'Callable', 'Consent to call', 'Calls allowed', 'OK to contact'];
  expect(found(...heeded, ...others, ...leave)).toEqual({ heeded, leave, others });
});

test('takes no other column for one', () => {
  const none = { heeded: [], leave: [], others: [] };
  expect(found('Phone', 'Call notes', 'Email', 'Options', 'Opted in', 'Outlet')).toEqual(none);
});

test('a column that is left out keeps no one from being called', () => {
  const file: Parameters<typeof optOutColumns>[0] = {
    columns: ['Do Not Call', 'OK to call'].map((header) => ({ header, guess: 'extra', sample: [] })),
    mapping: { 'Do Not Call': 'skip', 'OK to call': 'skip' },
  };
  expect(optOutColumns(file)).toEqual({ heeded: [], leave: [], others: ['Do Not Call', 'OK to call'] });
});

test('of many sheets the first are named and the others counted', () => {
  const sheets = Array.from({ length: 43 }, (_, at) => `S${at}`);
  expect(sheetNames(sheets)).toMatch(/^“.S0.”, .*“.S9.” and 33 more$/);
  expect(sheetNames(['a', 'b'])).not.toContain('more');
});
