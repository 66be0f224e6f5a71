import { queryOptions } from '@tanstack/react-query';
import { leadVerdictsEndpoint } from '#contract/calling/callability.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { askTogether } from './ask-together.ts';
import { leadKeys } from './lead-keys.ts';

/** A verdict is of a moment: a minute later it is asked for again, in ms. */
const MINUTE_MS = 60_000;

const ask = askTogether(async (listId, ids) => (await callApi(leadVerdictsEndpoint, { query: { listId, ids } })).leads);

/** Whether a lead may be called now; null for one that is gone. */
export const leadVerdictQuery = (listId: string, id: string) =>
  queryOptions({
    queryKey: [...leadKeys.ofList(listId), 'call', id],
    queryFn: () => ask(listId, id),
    staleTime: MINUTE_MS,
    refetchInterval: MINUTE_MS,
  });
