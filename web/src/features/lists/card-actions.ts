import type { LeadList } from '#contract/work/lists.ts';

export type ListAction = 'view' | 'processing' | 'retry' | 'enrich' | 'compliance' | 'export';
export type CardActions = {
  /** In the order of spec section 4. */
  actions: ListAction[];
  /** The one to make obvious. */
  next: ListAction;
};

/** What a list's card offers in each of its states. */
export function cardActions(list: LeadList): CardActions {
  if (list.archived) return { actions: ['view', 'export'], next: 'view' };
  if (list.status === 'processing') return { actions: ['view', 'processing', 'export'], next: 'view' };
  if (list.status === 'failed') return { actions: ['view', 'retry', 'export'], next: 'retry' };
  const actions: ListAction[] = ['view'];
  // Without leads, neither emails nor verdicts are missing.
  if (!list.tier2Complete && list.leadCount > 0) actions.push('enrich');
  if (!list.complianceChecked && list.leadCount > 0) actions.push('compliance');
  actions.push('export');
  return { actions, next: list.leadCount === 0 ? 'view' : (actions[1] ?? 'export') };
}

export const ACTION_LABEL: Record<ListAction, string> = {
  view: 'View',
  processing: 'Data Processing',
  retry: 'Retry',
  enrich: '+ Add Emails & Contacts',
  compliance: 'Check Compliance',
  export: 'Export',
};
