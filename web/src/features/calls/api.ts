import { queryOptions } from '@tanstack/react-query';
import { leadCallabilityEndpoint } from '#contract/calling/callability.ts';
import {
  beginCallEndpoint,
  callSheetEndpoint,
  leaveCallSheetEndpoint,
  takeBackCallEndpoint,
} from '#contract/calling/calls.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

/** Which lead a sheet asks for: the one that it shows, or the one behind others. */
export type Position = Omit<BodyOf<typeof callSheetEndpoint>, 'session'>;

export const openSheet = (listId: string, session: string, position: Position, signal: AbortSignal) =>
  callApi(callSheetEndpoint, { query: { listId }, body: { session, ...position }, signal });

export const leaveSheet = (listId: string, session: string) =>
  callApi(leaveCallSheetEndpoint, { query: { listId }, body: { session } });

export const beginCall = (body: BodyOf<typeof beginCallEndpoint>) => callApi(beginCallEndpoint, { body });

export const takeBack = (id: string, what: 'outcome' | 'call') =>
  callApi(takeBackCallEndpoint, { query: { id }, body: { what } });

/** What the rules say of a lead at a time to come. */
export const callabilityAt = (leadId: string, at: string) =>
  queryOptions({
    queryKey: ['callability', leadId, at],
    queryFn: ({ signal }) => callApi(leadCallabilityEndpoint, { query: { id: leadId, at }, signal }),
    enabled: at !== '',
  });
