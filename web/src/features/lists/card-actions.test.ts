import { expect, test } from 'vitest';
import type { LeadList } from '#contract/work/lists.ts';
import { aList } from '#web/test-data.ts';
import { cardActions, type ListAction } from './card-actions.ts';

test.each<[string, Partial<LeadList>, ListAction[], ListAction]>([
  ['archived', { archived: true, status: 'failed' }, ['view', 'export'], 'view'],
  ['processing', { status: 'processing' }, ['view', 'processing', 'export'], 'view'],
  ['failed', { status: 'failed' }, ['view', 'retry', 'export'], 'retry'],
  ['after a search', {}, ['view', 'enrich', 'compliance', 'export'], 'enrich'],
  ['checked, not enriched', { complianceChecked: true }, ['view', 'enrich', 'export'], 'enrich'],
  ['enriched, not checked', { tier2Complete: true }, ['view', 'compliance', 'export'], 'compliance'],
  ['all done', { tier2Complete: true, complianceChecked: true }, ['view', 'export'], 'export'],
  ['nothing was found', { leadCount: 0 }, ['view', 'export'], 'view'],
])('%s', (_name, list, actions, next) => {
  expect(cardActions(aList(list))).toEqual({ actions, next });
});
