import { expect, test } from 'vitest';
import { ListRow, readList } from './lists.ts';

const row = (more: object) =>
  readList(
    ListRow.parse({ id: '1', name: 'Dentists', status: 'completed', created_at: '2026-11-01T00:00:00Z', ...more }),
  );

test('completeness falls back to the average, then to 45', () => {
  expect(row({ completeness: 65, avg_completeness: 85 }).completeness).toBe(65);
  expect(row({ completeness: null, avg_completeness: 85 }).completeness).toBe(85);
  expect(row({}).completeness).toBe(45);
});

test.each([1, 2, 3, 4] as const)('both spellings of tier %i are read', (tier) => {
  expect(row({ [`tier${tier}_complete`]: true })[`tier${tier}Complete`]).toBe(true);
  expect(row({ [`tier_${tier}_complete`]: true })[`tier${tier}Complete`]).toBe(true);
  expect(row({})[`tier${tier}Complete`]).toBe(false);
});

test('lifecycle defaults to active, leads to none, and unknown columns do no harm', () => {
  const list = row({ surprise: 1, search_params: 'not an object' });
  expect(list).toMatchObject({ archived: false, leadCount: 0, sandbox: false, searchParams: {} });
  expect(row({ lifecycle_status: 'archived', archived_at: '2026-11-02T00:00:00Z' })).toMatchObject({
    archived: true,
    archivedAt: '2026-11-02T00:00:00Z',
  });
});

test('a status that is not known counts as completed', () => {
  expect(row({ status: 'ready' }).status).toBe('completed');
  expect(row({ status: 'failed' }).status).toBe('failed');
});

test('a list is checked until the first of its verdicts runs out', () => {
  const expires = '2026-12-01T00:00:00Z';
  const checked = ListRow.parse({
    id: '1',
    name: 'Dentists',
    status: 'completed',
    created_at: '2026-11-01T00:00:00Z',
    compliance_checked: true,
    compliance_expires_at: expires,
  });
  const at = (now: number) => readList(checked, { now }).complianceChecked;
  expect([at(Date.parse(expires)), at(Date.parse(expires) + 1)]).toEqual([true, false]);
  expect(readList({ ...checked, compliance_expires_at: null }).complianceChecked).toBe(true);
});
