import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LeadList } from '#contract/lists.ts';
import type { Run } from '#contract/runs.ts';
import { leadKeys } from '#web/features/leads/api.ts';

/** Reads a list's leads again whenever work on it has come further, so that they appear as they are found. */
export function useFollowLeads(list: LeadList, runs: readonly Run[] | undefined): void {
  const queries = useQueryClient();
  const totals = runs?.map(({ search, enrichment, compliance }) => search ?? enrichment ?? compliance);
  const reached = JSON.stringify([list.leadCount, list.updatedAt, totals]);
  const known = useRef<string>(undefined);
  const isKnown = runs !== undefined;
  useEffect(() => {
    if (!isKnown || known.current === reached) return;
    const first = known.current === undefined;
    known.current = reached;
    if (first) return;
    // A read under way is let finish: of a long list, the next one would otherwise always cut off the last.
    void queries.invalidateQueries({ queryKey: leadKeys.ofList(list.id) }, { cancelRefetch: false });
  }, [reached, isKnown, list.id, queries]);
}
