import { expect, test } from 'vitest';
import { isoDate, isoTime } from './dates.ts';

test.each(['2026-11-21', '0001-01-01', '9999-12-31'])('%s is a day', (text) => {
  expect(isoDate('No day.').safeParse(text).success).toBe(true);
});

test.each(['0000-12-31', '2026-02-30', '10000-01-01', 'today'])('%s is none', (text) => {
  expect(
    isoDate('No day.')
      .safeParse(text)
      .error?.issues.map(({ message }) => message),
  ).toContain('No day.');
});

test.each(['2026-11-21T09:00:00Z', '2026-11-21T09:00:00.5-06:00', '9999-12-31T23:59:59Z'])('%s is a time', (text) => {
  expect(isoTime('No time.').safeParse(text).success).toBe(true);
});

test.each(['0000-12-31T23:59:59Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '2026-11-21'])(
  '%s is none, in UTC',
  (text) => {
    expect(
      isoTime('No time.')
        .safeParse(text)
        .error?.issues.map(({ message }) => message),
    ).toContain('No time.');
  },
);
