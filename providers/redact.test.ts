import { expect, test } from 'vitest';
import { quoteVendor, redact } from './redact.ts';

const googleKey = `AIza${'b'.repeat(35)}`;

test.each([
  [`Consumer 'api_key:${googleKey}' has been suspended`, "Consumer 'api_key:[redacted]' has been suspended"],
  ['KeapAK-0123abcdef failed', '[redacted] failed'],
  ['token sb_secret_abc-1 end', 'token [redacted] end'],
  ['Bearer eyJhbGci.eyJzdWIi.c2lnbmF0', 'Bearer [redacted]'],
])('hides what is shaped like a key: %s', (text, safe) => {
  expect(redact(text)).toBe(safe);
});

test('hides the given secrets, URL-encoded ones and the longest first', () => {
  expect(redact('key=12345678%3Apa%24s and pa$s', ['12345678', '12345678:pa$s', 'pa$s'])).toBe(
    'key=[redacted] and [redacted]',
  );
});

test('an empty secret hides nothing', () => {
  expect(redact('plain', [''])).toBe('plain');
});

test("a vendor's words come on one line, cut to 200 characters", () => {
  const quoted = quoteVendor(`a\r\n b ${'x'.repeat(300)}`);
  expect(quoted).toHaveLength(200);
  expect(quoted.startsWith('a b xxx')).toBe(true);
});
