import { useQueryClient } from '@tanstack/react-query';
import type { LeadList } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import { callingKeys } from '#web/features/calling/calling-keys.ts';
import { leadKeys } from '#web/features/leads/lead-keys.ts';
import { afterRead } from '#web/lib/query/after-read.ts';
import { useFollow } from '#web/lib/query/use-follow.ts';

/** Reads a list's leads again when work on it has come further, so that they appear as they are found. */
export function useFollowLeads(list: LeadList, runs: readonly Run[] | undefined): void {
  const queries = useQueryClient();
  const totals = runs?.map(({ search, enrichment, compliance }) => search ?? enrichment ?? compliance);
  useFollow(totals && JSON.stringify([list.leadCount, list.updatedAt, totals]), async () => {
    const leads = leadKeys.ofList(list.id);
    // A read under way is let finish: of a long list, the next one would otherwise always cut off the last.
    await afterRead(queries, leads);
    // A hidden page reads when it is looked at.
    const refetchType = document.hidden ? 'none' : 'active';
    await Promise.all(
      [leads, callingKeys.leads].map((queryKey) => queries.invalidateQueries({ queryKey, refetchType })),
    );
  });
}
