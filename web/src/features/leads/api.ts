import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod/mini';
import { type Lead, LeadRow, readLead } from '#contract/work/leads.ts';
import { getProvenanceEndpoint, type Provenance } from '#contract/work/provenance.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { allRows } from '#web/lib/query/all-rows.ts';

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

/** Where the values of a lead come from: asked for when someone looks. */
export const provenanceQuery = (leadId: string) =>
  queryOptions({
    queryKey: ['provenance', leadId],
    queryFn: async ({ signal }): Promise<Provenance[]> =>
      (await callApi(getProvenanceEndpoint, { query: { id: leadId }, signal })).provenance,
    staleTime: 0,
  });
