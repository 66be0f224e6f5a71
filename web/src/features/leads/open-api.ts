import { queryOptions } from '@tanstack/react-query';
import { leadOriginsEndpoint } from '#contract/work/open-origins.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { askTogether } from './ask-together.ts';
import { leadKeys } from './lead-keys.ts';

const ask = askTogether(async (listId, ids) => (await callApi(leadOriginsEndpoint, { query: { listId, ids } })).leads);

/** Which release of open data brought a lead; null for one from elsewhere. */
export const leadOriginQuery = (listId: string, id: string) =>
  queryOptions({ queryKey: [...leadKeys.ofList(listId), 'origin', id], queryFn: () => ask(listId, id) });
