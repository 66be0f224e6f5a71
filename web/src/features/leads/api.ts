import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod/mini';
import type { LeadChoice, LeadFilter } from '#contract/work/lead-choice.ts';
import { type Lead, LeadRow, readLead } from '#contract/work/leads.ts';
import { countLeadsEndpoint, listLeadsEndpoint } from '#contract/work/leads-of-list.ts';
import { getProvenanceEndpoint, type Provenance } from '#contract/work/provenance.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { dataError } from '#web/lib/backend/api-error.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { isFiltered, type LeadsView, sortText } from './leads-view.ts';

export const leadKeys = { all: ['leads'] as const, ofList: (listId: string) => ['leads', listId] as const };

/** Leads that are read at a time: a few pages of the table, so that most lists need one request. */
export const LEADS_AT_ONCE = 100;

const Rows = z.array(LeadRow);

type Part = { listId: string; filter: LeadFilter; sort: LeadsView['sort']; offset: number };

/** Some leads of a list in the order of a view, beginning with the one that has the number `offset`. */
export const leadsQuery = (part: Part) =>
  queryOptions({
    queryKey: [...leadKeys.ofList(part.listId), 'rows', part],
    queryFn: async ({ signal }): Promise<Lead[]> => {
      const isAsFound = part.sort === undefined && !isFiltered(part.filter);
      const rows = isAsFound ? await rowsAsFound(part, signal) : await rowsOf(part, signal);
      return rows.map((row) => readLead(row));
    },
  });

async function rowsAsFound({ listId, offset }: Part, signal: AbortSignal): Promise<LeadRow[]> {
  const supabase = await getSupabase();
  const { data, error } = await supabase
    .from('leads')
    .select('*')
    .eq('list_id', listId)
    .order('position')
    .range(offset, offset + LEADS_AT_ONCE - 1)
    .abortSignal(signal);
  if (error) throw dataError(error);
  return Rows.parse(data ?? []);
}

async function rowsOf({ listId, filter, sort, offset }: Part, signal: AbortSignal): Promise<LeadRow[]> {
  const order = sort ? { sort: sortText(sort) } : {};
  const query = { listId, ...filter, ...order, offset, limit: LEADS_AT_ONCE };
  return (await callApi(listLeadsEndpoint, { query, signal })).leads;
}

/** How many leads of a list are meant, and what they have. */
export const leadCountsQuery = (listId: string, choice: LeadChoice) =>
  queryOptions({
    queryKey: [...leadKeys.ofList(listId), 'counts', choice],
    queryFn: ({ signal }) => callApi(countLeadsEndpoint, { query: { listId }, body: choice, signal }),
  });

/** Where the values of a lead come from: asked for when someone looks. */
export const provenanceQuery = (leadId: string) =>
  queryOptions({
    queryKey: ['provenance', leadId],
    queryFn: async ({ signal }): Promise<Provenance[]> =>
      (await callApi(getProvenanceEndpoint, { query: { id: leadId }, signal })).provenance,
    staleTime: 0,
  });
