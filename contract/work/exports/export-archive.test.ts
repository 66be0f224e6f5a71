import { expect, test } from 'vitest';
import { type KeptExport, keptName, readKeptName } from './export-archive.ts';

const KEPT: KeptExport = {
  exportedAt: '2026-11-21T21:50:07.123Z',
  filter: 'has_emails',
  compliance: 'clean',
  rights: 'all',
  callWithin: undefined,
  callTimes: false,
  leads: 120,
  selected: false,
};

test.each<KeptExport>([
  KEPT,
  { ...KEPT, filter: 'all', compliance: 'all_leads', leads: 0, selected: true },
  { ...KEPT, callWithin: 24 },
  { ...KEPT, callTimes: true },
  { ...KEPT, rights: 'export_safe', callWithin: 8, callTimes: true, selected: true },
])('a name says what the file is, and can be a name in storage', (kept) => {
  expect(readKeptName(keptName(kept))).toEqual(kept);
  expect(keptName(kept)).toMatch(/^[\w.-]+$/);
});

test('a name from before more was told of calls and rights is still read', () => {
  expect(readKeptName('2026-11-21T21-50-07.123Z--has_emails--clean--120.csv')).toEqual(KEPT);
});

test.each([
  'leads.csv',
  keptName(KEPT).replace('clean', 'dirty'),
  keptName(KEPT).replace('has_emails', 'constructor'),
  `${keptName(KEPT)}.exe`,
])('%s is no such name', (name) => {
  expect(readKeptName(name)).toBeUndefined();
});
