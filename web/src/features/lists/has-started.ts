import type { LeadList } from '#contract/work/lists.ts';

/** Whether a list's completeness says something. One without leads is not 45 % complete, whatever its stored field says. */
export const hasStarted = ({ leadCount }: LeadList): boolean => leadCount > 0;
