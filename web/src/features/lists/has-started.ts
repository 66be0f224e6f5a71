import type { LeadList } from '#contract/lists.ts';

/** Whether the first search has brought something. Before that a list is not 45 % complete, whatever its default says. */
export const hasStarted = ({ tier1Complete, leadCount }: LeadList): boolean => tier1Complete || leadCount > 0;
