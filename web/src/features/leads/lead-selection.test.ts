import { expect, test } from 'vitest';
import { countSelected, isSelected, type LeadSelection, NO_LEADS, select, toChoice } from './lead-selection.ts';

test('rows are chosen by name, and taken out again', () => {
  const two = select(NO_LEADS, ['a', 'b'], true);
  expect(countSelected(two, 9)).toBe(2);
  expect(isSelected(two, 'a')).toBe(true);
  const one = select(two, ['a'], false);
  expect(toChoice(one)).toEqual({ lead_ids: ['b'] });
  expect(isSelected(NO_LEADS, 'b')).toBe(false);
});

test('of all that match, some can be left out', () => {
  const all: LeadSelection = { kind: 'matching', filter: { has: 'email' }, except: new Set() };
  expect(toChoice(all)).toEqual({ matching: { has: 'email' } });
  const most = select(all, ['a'], false);
  expect(countSelected(most, 9)).toBe(8);
  expect(isSelected(most, 'a')).toBe(false);
  expect(isSelected(most, 'z')).toBe(true);
  expect(toChoice(most)).toEqual({ matching: { has: 'email' }, except: ['a'] });
  expect(toChoice(select(most, ['a'], true))).toEqual({ matching: { has: 'email' } });
});
