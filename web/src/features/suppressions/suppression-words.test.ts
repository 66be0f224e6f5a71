import { expect, test } from 'vitest';
import { clockText, ownersText, valueText } from './suppression-words.ts';

const anExport = (by: string | null) => ({
  id: '1',
  by,
  at: '2026-11-20T10:00:00.000Z',
  listName: 'Roofers',
  fileName: 'Roofers.csv',
  leads: 10,
});
const held = (total: number) => ({
  addedAt: '2026-11-23T20:00:00.000Z',
  exports: { total, newest: total > 0 ? [anExport('ann@people.example')] : [] },
});
const at = (now: string, total = 2) => clockText(held(total), Date.parse(now));

test('the clock counts business days, and warns at their end', () => {
  expect(at('2026-11-24T20:00:00Z')).toEqual({
    text: '9 business days left to stop contact from these exports, until Dec 8, 2026',
    tone: 'neutral',
  });
  expect(at('2026-12-07T20:00:00Z', 1)).toEqual({
    text: '1 business day left to stop contact from this export, until Dec 8, 2026',
    tone: 'warning',
  });
  expect(at('2026-12-08T20:00:00Z')?.text).toBe('Today is the last day to stop contact from these exports');
  expect(at('2026-12-09T20:00:00Z')).toEqual({
    text: 'The time to stop using these exports ended on Dec 8, 2026',
    tone: 'danger',
  });
  expect(at('2026-11-24T20:00:00Z', 0)).toBeUndefined();
});

test('the owners of past exports are named once', () => {
  const newest = [anExport('ann@people.example'), anExport('ann@people.example'), anExport('bo@people.example')];
  expect(ownersText({ total: 3, newest })).toBe('Tell ann@people.example, bo@people.example.');
  expect(ownersText({ total: 1, newest: [anExport(null)] })).toContain('no account here any more');
});

test('phones are spelled for people', () => {
  expect(valueText({ kind: 'phone', value: '+13125550100' })).toBe('+1 312 555 0100');
  expect(valueText({ kind: 'domain', value: 'example.com' })).toBe('example.com');
});
