import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod/mini';
import type { BodyOf } from '#contract/endpoint.ts';
import type { LeadFilter } from '#contract/work/lead-choice.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { type Lead, LeadRow, readLead } from '#contract/work/leads.ts';
import { listLeadsEndpoint } from '#contract/work/leads-of-list.ts';
import { getProvenanceEndpoint } from '#contract/work/provenance.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { readRows } from '#web/lib/backend/read-rows.ts';
import { leadKeys } from './lead-keys.ts';
import { isFiltered, type LeadsView, sortText } from './view/leads-view.ts';

/** Leads that are read at a time: a few pages of the table, so that most lists need one request. */
export const LEADS_AT_ONCE = 100;

const MINUTE_MS = 60_000;

const Stored = z.array(LeadRow);

type Part = { listId: string; filter: LeadFilter; sort: LeadsView['sort']; offset: number };
type Rows = { rows: LeadRow[]; next: string | null };
/** `next`: where the leads behind them begin, if that is known. */
export type LeadsPart = { leads: Lead[]; next: string | null };

/** Some leads of a list in the order of a view, beginning with the one that has the number `offset`. */
export const leadsQuery = (part: Part) =>
  queryOptions({
    queryKey: partKey(part),
    queryFn: async ({ client, signal }): Promise<LeadsPart> => {
      const isAsFound = part.sort === undefined && !isFiltered(part.filter);
      // Behind leads that have just been read, the server need not count from the first.
      const before = client.getQueryState<LeadsPart>(partKey({ ...part, offset: part.offset - LEADS_AT_ONCE }));
      // Who may be called now is asked again, unless that was a moment ago.
      const isOver = part.sort?.column === 'call' && Date.now() - (before?.dataUpdatedAt ?? 0) > MINUTE_MS;
      const { rows, next } = isAsFound
        ? await rowsAsFound(part, signal)
        : await rowsOf(part, (isOver ? undefined : before?.data?.next) ?? undefined, signal);
      return { leads: rows.map((row) => readLead(row)), next };
    },
  });

const partKey = (part: Part) => [...leadKeys.ofList(part.listId), 'rows', part];

async function rowsAsFound({ listId, offset }: Part, signal: AbortSignal): Promise<Rows> {
  const part = { select: '*', list_id: `eq.${listId}`, order: 'position.asc' };
  const rows = await readRows('leads', { ...part, offset: `${offset}`, limit: `${LEADS_AT_ONCE}` }, signal);
  return { rows: Stored.parse(rows), next: null };
}

async function rowsOf(
  { listId, filter, sort, offset }: Part,
  after: string | undefined,
  signal: AbortSignal,
): Promise<Rows> {
  const order = sort ? { sort: sortText(sort) } : {};
  const from = after === undefined ? { offset } : { after };
  const query = { listId, ...filter, ...order, ...from, limit: LEADS_AT_ONCE };
  const { leads, next } = await callApi(listLeadsEndpoint, { query, signal });
  return { rows: leads, next };
}

/** How many leads of a list are meant, and what they have. */
export const leadCountsQuery = (listId: string, choice: BodyOf<typeof countLeadsEndpoint>) =>
  queryOptions({
    queryKey: [...leadKeys.ofList(listId), 'counts', choice],
    queryFn: ({ signal }) => callApi(countLeadsEndpoint, { query: { listId }, body: choice, signal }),
  });

/** Where the values of a lead come from: asked for when someone looks. */
export const provenanceQuery = (leadId: string) =>
  queryOptions({
    queryKey: ['provenance', leadId],
    queryFn: ({ signal }) => callApi(getProvenanceEndpoint, { query: { id: leadId }, signal }),
    staleTime: 0,
  });
