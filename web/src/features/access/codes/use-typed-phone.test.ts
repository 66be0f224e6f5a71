import { expect, test } from 'vitest';
import { PhoneNumber } from './use-typed-phone.ts';

test.each([
  ['+12175550101', '+12175550101'],
  [' +1 (217) 555-0101 ', '+12175550101'],
  ['0044 20.7946.0101', '+442079460101'],
])('%o is a number', (typed, read) => {
  expect(PhoneNumber.parse(typed)).toBe(read);
});

test.each(['', '217 555 0101', '+0 217 555 0101', '+1 217', '+1 217 555 0101 ext 4', `+1${'2'.repeat(15)}`])(
  '%o is none',
  (typed) => {
    expect(PhoneNumber.safeParse(typed).success).toBe(false);
  },
);
