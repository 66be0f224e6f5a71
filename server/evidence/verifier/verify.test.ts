import { expect, test } from 'vitest';
import { EVIDENCE_KINDS, evidenceLabel } from '#contract/calling/evidence.ts';
import { csvRows } from '#contract/csv.ts';
import { CSV_HEAD, contentHashOf, csvRowOf, faultOfEntry, hashOf, LABELS, lineOf, type ProofEntry } from './verify.mjs';

const ENTRY: ProofEntry = {
  position: 7,
  ticket: 9,
  at: '2026-11-26T15:40:11.225556Z',
  kind: 'suppression.added',
  actor: null,
  list: null,
  facts: { source: 'hand', count: 1 },
  parts: [
    { hash: 'a', state: 'open', text: '{"salt":"s","about":"h","phone":"+13035550190"}' },
    { hash: 'b', state: 'erased', text: null },
    { hash: 'c', state: 'withheld', text: null },
  ],
  previous: '0',
  skip: '0',
  hash: 'ab12',
};

test('the verifier names kinds as the product does', () => {
  expect(LABELS).toEqual(EVIDENCE_KINDS);
});

test.each(['of.a_later.version', 'call.logged'])('%s is named alike', (kind) => {
  expect(csvRowOf({ ...ENTRY, kind })).toContain(`,${evidenceLabel(kind)},`);
});

test.each([
  'plain',
  '',
  ' spaced ',
  'a "quoted", cell',
  'two\r\nlines',
  '=1+1',
  '+1 (303) 555-0190',
  '+1 303 x',
  '-2',
  ' @SUM(A1)',
  '\u0000=1',
  '＝1＋1',
  'a; =1',
  'a\t+b',
  '.',
  'é 漢 🙂',
])('the verifier writes the cell %j as the product writes CSV', (cell) => {
  const entry = { ...ENTRY, actor: cell, list: cell, facts: cell, hash: cell };
  const row = ['7', ENTRY.at, 'Contact suppressed', ENTRY.kind, cell, cell, JSON.stringify(cell)];
  expect(csvRowOf(entry)).toBe(csvRows([[...row, '{"phone":"+13035550190"}', '1', '1', cell]]));
});

test('entries.csv has a column for each cell', () => {
  expect(CSV_HEAD.split(',')).toHaveLength(11);
  expect(CSV_HEAD).toMatch(/^\ufeffPosition,.*,Hash\r\n$/);
});

test('an entry that has the hash of another is refused', () => {
  const sealed = (letter: string) => ({ hash: letter.repeat(64), state: 'withheld' as const, text: null });
  const entry = { ...ENTRY, parts: [sealed('a'), sealed('b')] };
  const whole = { ...entry, hash: hashOf({ ...entry, content: contentHashOf(entry) }) };
  expect(faultOfEntry(whole, lineOf(whole))).toBeUndefined();
  const [merged, dashed] = [
    { ...whole, parts: [{ ...sealed('a'), hash: `${'a'.repeat(64)}\n${'b'.repeat(64)}` }] },
    { ...whole, actor: '-' },
  ];
  expect(faultOfEntry(merged, lineOf(merged))).toBe('a hash of a part of it is none');
  expect(faultOfEntry(dashed, lineOf(dashed))).toBe('a value of it is of another kind');
});
