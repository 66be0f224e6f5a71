import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod/mini';
import { type Lead, LeadRow, readLead } from '#contract/leads.ts';
import { allRows } from '#web/lib/all-rows.ts';
import { getSupabase } from '#web/lib/supabase.ts';

export const leadKeys = { all: ['leads'] as const, ofList: (listId: string) => ['leads', listId] as const };

const Rows = z.array(LeadRow);

/** All leads of a list, in the order they were found. */
export const leadsQuery = (listId: string) =>
  queryOptions({
    queryKey: leadKeys.ofList(listId),
    queryFn: async (): Promise<Lead[]> => {
      const supabase = await getSupabase();
      const rows = await allRows((from, to) =>
        supabase.from('leads').select('*').eq('list_id', listId).order('position').range(from, to),
      );
      return Rows.parse(rows).map((row) => readLead(row));
    },
  });
