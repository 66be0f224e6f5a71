import { expect, test } from 'vitest';
import { EMPTY_FORM, questionOf } from './pack-question.ts';

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
