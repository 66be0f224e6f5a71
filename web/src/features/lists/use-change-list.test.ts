import { expect, test } from 'vitest';
import { aList } from '#web/test-data.ts';
import { afterChange } from './use-change-list.ts';

const NOW = '2026-11-21T00:00:00Z';
const list = aList({ id: 'a' });
const other = aList({ id: 'b' });

test.each([
  ['rename', { kind: 'rename', list, name: 'New' }, { name: 'New' }],
  ['archive', { kind: 'archive', list }, { archived: true, archivedAt: NOW }],
  ['restore', { kind: 'restore', list }, { archived: false, archivedAt: undefined, retentionFrom: NOW }],
  ['delete shows nothing before it is done', { kind: 'delete', list }, {}],
] as const)('%s', (_name, change, expected) => {
  expect(afterChange([list, other], change, NOW)).toEqual([{ ...list, ...expected }, other]);
});
