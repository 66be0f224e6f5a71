import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LeadList } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import { leadKeys } from '#web/features/leads/lead-keys.ts';
import { afterRead } from '#web/lib/query/after-read.ts';

/** Leads are read at most this often, in ms, however fast the work goes. */
const EVERY_MS = 1000;

/** Reads a list's leads again when work on it has come further, so that they appear as they are found. */
export function useFollowLeads(list: LeadList, runs: readonly Run[] | undefined): void {
  const queries = useQueryClient();
  const totals = runs?.map(({ search, enrichment, compliance }) => search ?? enrichment ?? compliance);
  const reached = JSON.stringify([list.leadCount, list.updatedAt, totals]);
  const known = useRef<string>(undefined);
  const readAt = useRef(0);
  const isKnown = runs !== undefined;
  useEffect(() => {
    if (!isKnown || known.current === reached) return;
    if (known.current === undefined) {
      known.current = reached;
      return;
    }
    const read = async () => {
      const queryKey = leadKeys.ofList(list.id);
      known.current = reached;
      readAt.current = Date.now();
      // A read under way is let finish: of a long list, the next one would otherwise always cut off the last.
      await afterRead(queries, queryKey);
      // A hidden page reads when it is looked at.
      await queries.invalidateQueries({ queryKey, refetchType: document.hidden ? 'none' : 'active' });
    };
    const timer = setTimeout(() => void read(), Math.max(0, readAt.current + EVERY_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [reached, isKnown, list.id, queries]);
}
