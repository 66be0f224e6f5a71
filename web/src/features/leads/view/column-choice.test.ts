import { expect, test } from 'vitest';
import {
  columnsOf,
  DEFAULT_CHOICE,
  isDefaultChoice,
  moveColumn,
  readChoice,
  showColumn,
  shownColumns,
  writeChoice,
} from './column-choice.ts';

const NONE = { emails: false, contacts: false, verification: false, compliance: false, openData: false };
const ALL = { emails: true, contacts: true, verification: true, compliance: true, openData: false };

test('the columns of a bare list are those of the specification, in its order', () => {
  expect(shownColumns(NONE, DEFAULT_CHOICE)).toEqual(['businessName', 'phone', 'address', 'website']);
});

test('what decides comes first in an enriched list', () => {
  expect(shownColumns(ALL, DEFAULT_CHOICE).slice(0, 6)).toEqual([
    'businessName',
    'phone',
    'email',
    'emailConfidence',
    'ownerName',
    'status',
  ]);
  expect(shownColumns(ALL, DEFAULT_CHOICE)).toHaveLength(12);
});

test('leads of open data say so in a column, which can be hidden', () => {
  const open = { ...NONE, openData: true };
  expect(shownColumns(open, DEFAULT_CHOICE)).toEqual(['businessName', 'phone', 'address', 'website', 'openData']);
  expect(shownColumns(open, showColumn(DEFAULT_CHOICE, 'openData', false))).not.toContain('openData');
});

test('a column is hidden, also for lists that get it later, and shown again', () => {
  const without = showColumn(DEFAULT_CHOICE, 'email', false);
  expect(shownColumns(NONE, without)).toHaveLength(4);
  expect(shownColumns(ALL, without)).not.toContain('email');
  expect(isDefaultChoice(showColumn(without, 'email', true))).toBe(true);
});

test('a column moves past its neighbor in the list at hand, over columns that this list does not have', () => {
  const moved = moveColumn(DEFAULT_CHOICE, 'address', -1, columnsOf(NONE, DEFAULT_CHOICE));
  expect(shownColumns(NONE, moved)).toEqual(['businessName', 'address', 'phone', 'website']);
  expect(shownColumns(ALL, moved).slice(0, 4)).toEqual(['businessName', 'address', 'phone', 'email']);
  const back = moveColumn(moved, 'address', 1, columnsOf(NONE, moved));
  expect(shownColumns(NONE, back)).toEqual(shownColumns(NONE, DEFAULT_CHOICE));
});

test('the name stays, and stays first', () => {
  expect(showColumn(DEFAULT_CHOICE, 'businessName', false).hidden).toEqual([]);
  const columns = columnsOf(ALL, DEFAULT_CHOICE);
  expect(moveColumn(DEFAULT_CHOICE, 'businessName', 1, columns)).toBe(DEFAULT_CHOICE);
  expect(moveColumn(DEFAULT_CHOICE, 'phone', -1, columns)).toBe(DEFAULT_CHOICE);
  expect(moveColumn(DEFAULT_CHOICE, 'website', 1, columns)).toBe(DEFAULT_CHOICE);
});

test('what was chosen is read again', () => {
  const chosen = showColumn(moveColumn(DEFAULT_CHOICE, 'status', -1, columnsOf(ALL, DEFAULT_CHOICE)), 'website', false);
  expect(readChoice(writeChoice(chosen))).toEqual(chosen);
});

test.each([
  undefined,
  '',
  'no json',
  '7',
  'null',
  '{"order":7,"hidden":"email"}',
  '{"order":["nonsense"],"hidden":["nonsense","businessName"]}',
])('%j counts as no choice', (stored) => {
  expect(isDefaultChoice(readChoice(stored))).toBe(true);
});

test('columns that a stored choice does not know yet, or names twice, stand where they would by themselves', () => {
  expect(readChoice('{"order":["phone","phone","businessName","address"],"hidden":[]}').order).toEqual(
    DEFAULT_CHOICE.order,
  );
});
