import { expect, test } from 'vitest';
import { copiedText } from './copied-text.ts';

const copied = { list_id: 'a', name: 'Dentists', copied: 0, skipped: 28, filled: 28, differing: 0 };

test('says how many leads were added, were filled in, and stay', () => {
  expect(copiedText({ ...copied, copied: 1, skipped: 0, filled: 0 })).toBe('1 lead added to “Dentists”.');
  expect(copiedText({ ...copied, filled: 0 })).toBe('0 leads added to “Dentists”. 28 leads were there already.');
  expect(copiedText(copied)).toBe(
    '0 leads added to “Dentists”. 28 leads were there already, and 28 of them were filled in.',
  );
  expect(copiedText({ ...copied, differing: 1 }, 'Mine')).toBe(
    '0 leads added to “Dentists”. 28 leads were there already, and 28 of them were filled in. 1 lead stays in “Mine”: the other list has something else for it.',
  );
});
