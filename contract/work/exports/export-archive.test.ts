import { expect, test } from 'vitest';
import { type KeptExport, keptName, readKeptName } from './export-archive.ts';

const KEPT: KeptExport = {
  exportedAt: '2026-11-21T21:50:07.123Z',
  filter: 'has_emails',
  compliance: 'clean',
  leads: 120,
  selected: false,
};

test.each([KEPT, { ...KEPT, filter: 'all', compliance: 'all_leads', leads: 0, selected: true } as const])(
  'a name says what the file is, and can be a name in storage',
  (kept) => {
    expect(readKeptName(keptName(kept))).toEqual(kept);
    expect(keptName(kept)).toMatch(/^[\w.-]+$/);
  },
);

test.each([
  'leads.csv',
  keptName(KEPT).replace('clean', 'dirty'),
  keptName(KEPT).replace('has_emails', 'constructor'),
  `${keptName(KEPT)}.exe`,
])('%s is no such name', (name) => {
  expect(readKeptName(name)).toBeUndefined();
});
