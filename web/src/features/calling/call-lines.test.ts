import { expect, test } from 'vitest';
import type { LeadCallability } from '#contract/calling/callability.ts';
import { headline } from './call-lines.ts';

const now = new Date(2026, 10, 25, 12, 0).getTime();
const CALL: LeadCallability = {
  verdict: 'callable',
  window: { state: 'open' },
  today: { from: '08:00', to: '20:00', zone: 'America/New_York', citation: 'F.S. §501.616(6)' },
  zones: ['America/New_York'],
  reasons: [
    { code: 'hours', text: 'Federal: 08:00–21:00 every day', citation: '47 CFR 64.1200(c)(1)' },
    { code: 'hours', text: 'FL: 08:00–20:00 every day', citation: 'F.S. §501.616(6)' },
  ],
  rulesAsOf: '2026-11-22',
  checkedOn: '2026-11-20T12:00:00Z',
  scope: 'every_line',
  notChecked: [],
};

test('what is said first names the check, the hours and the law, and never a promise', () => {
  expect(headline(CALL, now)).toBe('Callable now: checked on Nov 20, 2026, window 8:00 AM–8:00 PM (F.S. §501.616(6)).');
  expect(headline({ ...CALL, zones: ['America/New_York', 'America/Chicago'] }, now)).toContain(
    'window 8:00 AM–8:00 PM by clocks of America/New_York (F.S. §501.616(6)).',
  );
  expect(headline({ ...CALL, verdict: 'not_now', callFrom: new Date(2026, 10, 26, 8, 0).toISOString() }, now)).toBe(
    'Not now. It opens Thu 8:00 AM, your time.',
  );
  expect(headline({ ...CALL, verdict: 'review', callFrom: new Date(2026, 10, 25, 13, 0).toISOString() }, now)).toBe(
    'Someone must look at this before a call: sources disagree. All of them let calls begin from 1:00 PM, your time.',
  );
  for (const verdict of ['blocked', 'review', 'unknown'] as const)
    expect(headline({ ...CALL, verdict }, now)).not.toMatch(/safe|compliant|callable now/i);
});
