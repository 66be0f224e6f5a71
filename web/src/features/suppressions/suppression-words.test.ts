import { expect, test } from 'vitest';
import { clockText, ownersText, removedText, valueText } from './suppression-words.ts';

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
    text: 'Stop contact from these exports at once. The last day by law is Dec 8, 2026, in 9 business days.',
    tone: 'neutral',
  });
  expect(at('2026-12-07T20:00:00Z', 1)).toEqual({
    text: 'Stop contact from this export at once. The last day by law is Dec 8, 2026, in 1 business day.',
    tone: 'warning',
  });
  expect(at('2026-12-08T20:00:00Z')?.text).toBe(
    'Stop contact from these exports at once. The last day by law is today.',
  );
  expect(at('2026-12-09T20:00:00Z')).toEqual({
    text: 'The last day by law to stop contact from these exports was Dec 8, 2026.',
    tone: 'danger',
  });
  expect(at('2026-11-24T20:00:00Z', 0)).toBeUndefined();
  // The request waited for an administrator.
  const late = { ...held(2), askedAt: '2026-11-16T20:00:00.000Z' };
  expect(clockText(late, Date.parse('2026-11-24T20:00:00Z'))?.text).toContain('Dec 1, 2026, in 4 business days');
});

test('the owners of past exports are named once', () => {
  const newest = [anExport('ann@people.example'), anExport('ann@people.example'), anExport('bo@people.example')];
  expect(ownersText({ total: 3, newest })).toBe('Tell ann@people.example, bo@people.example.');
  expect(ownersText({ total: 1, newest: [anExport(null)] })).toContain('no account here anymore');
});

test('what still holds leads back is named when an entry is let go', () => {
  const phone = { kind: 'phone', value: '+13125550100', source: 'hand' } as const;
  expect(removedText(phone, [])).toBe('+1 312-555-0100 may be contacted again, as far as the law allows.');
  expect(removedText(phone, [{ kind: 'domain', value: 'example.com' }])).toBe(
    'Leads with +1 312-555-0100 are still held back by other entries: Domain: example.com.',
  );
  expect(removedText({ ...phone, source: 'crm' }, [])).toBe(
    '+1 312-555-0100 may be contacted again, as far as the law allows. It came from Keap, and comes back with a later pull as long as Keap has its tag or opt-out. Change it in Keap first.',
  );
});

test('phones are spelled for people', () => {
  expect(valueText({ kind: 'phone', value: '+13125550100' })).toBe('+1 312-555-0100');
  expect(valueText({ kind: 'domain', value: 'example.com' })).toBe('example.com');
});
