import { expect, test } from 'vitest';
import type { KeptExport } from '#contract/work/exports/export-archive.ts';
import { choiceWords } from './choices.ts';

const KEPT: KeptExport = {
  exportedAt: '2026-11-21T21:50:07.123Z',
  filter: 'all',
  compliance: 'all_leads',
  rights: 'all',
  callWithin: undefined,
  callTimes: false,
  leads: 24,
  selected: false,
};

test.each<[Partial<KeptExport>, string[]]>([
  [{}, ['All leads']],
  [{ callWithin: 24, callTimes: true }, ['All leads', 'Callable within 24 hours']],
  [{ callTimes: true, compliance: 'clean' }, ['All leads', 'Clean only', 'Call times']],
  [{ selected: true }, ['Selected leads']],
  [{ selected: true, filter: 'has_emails', rights: 'export_safe' }, ['Selected leads', 'Has emails', 'Export-safe']],
])('what a file was narrowed to is said: %o', (more, words) => {
  expect(choiceWords({ ...KEPT, ...more })).toEqual(words);
});
