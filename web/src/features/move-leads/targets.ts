import type { LeadList } from '#contract/work/lists.ts';

/** The lists that may take the leads of another. */
export const targetsFor = (list: LeadList, lists: readonly LeadList[]): LeadList[] =>
  lists.filter(
    (one) => one.id !== list.id && !one.archived && one.status !== 'processing' && one.sandbox === list.sandbox,
  );
