import { expect, test } from 'vitest';
import { BY_ID, EMPTY_FORM, faultsOf, questionOf } from './pack-question.ts';

test('an empty form asks for everything', () => {
  expect(questionOf(EMPTY_FORM)).toEqual({});
});

test('days are whole, the last one included, also where the clock changes', () => {
  const { from, to } = questionOf({ ...EMPTY_FORM, from: '2026-11-01', to: '2026-11-30' });
  expect(new Date(from ?? '')).toEqual(new Date(2026, 10, 1));
  expect(new Date(to ?? '')).toEqual(new Date(2026, 11, 1));
});

test('a list, a number and a person narrow it', () => {
  const form = { ...EMPTY_FORM, listId: 'a-list', phone: ' (217) 555-0100 ', userId: 'a-person' };
  expect(questionOf(form)).toEqual({ listId: 'a-list', phone: '(217) 555-0100', userId: 'a-person' });
});

test('any list and any export can be named by their ids', () => {
  const form = { ...EMPTY_FORM, listId: BY_ID, namedId: ' a-list ', exportId: ' an-export ' };
  expect(questionOf(form)).toEqual({ listId: 'a-list', exportId: 'an-export' });
});

test('an entry is named as mails name it', () => {
  expect(questionOf({ ...EMPTY_FORM, proveEntry: ' 12,345 ' })).toEqual({ proveEntry: 12_345 });
});

test.each([
  [{ from: '2026-12-24', to: '2026-12-01' }, { to: 'The last day is before the first day.' }],
  [{ from: '2026-12-24', to: '2026-12-23' }, { to: 'The last day is before the first day.' }],
  [{ from: '2026-12-24', to: '2026-12-24' }, {}],
  [{ phone: '12' }, { phone: 'Enter a phone number with its area code.' }],
  [{ listId: BY_ID }, { listId: 'This is not the id of a list.' }],
  [{ exportId: '12' }, { exportId: 'This is not the id of an export.' }],
  [{ proveEntry: 'twelve' }, { proveEntry: 'This is not the number of an entry.' }],
  [{ proveEntry: '0' }, { proveEntry: 'This is not the number of an entry.' }],
])('%j is found to be %j', (form, faults) => {
  expect(faultsOf(questionOf({ ...EMPTY_FORM, ...form }))).toEqual(faults);
});
