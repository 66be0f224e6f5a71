import { queryOptions } from '@tanstack/react-query';
import { type LeadVerdict, leadVerdictsEndpoint } from '#contract/calling/callability.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { leadKeys } from './lead-keys.ts';

/** A verdict is of a moment: a minute later it is asked for again, in ms. */
const MINUTE_MS = 60_000;
/** Leads that one request names at most. */
const AT_ONCE = 100;

type Waiting = { id: string; take: (verdict: LeadVerdict | null) => void; fail: (error: unknown) => void };

/** Those that wait for the next request, by list. */
const waiting = new Map<string, Waiting[]>();

/** Asks for many leads with few requests: all that are wanted in one moment go together. */
function ask(listId: string, id: string): Promise<LeadVerdict | null> {
  return new Promise((take, fail) => {
    const others = waiting.get(listId);
    if (others) {
      others.push({ id, take, fail });
      return;
    }
    waiting.set(listId, [{ id, take, fail }]);
    setTimeout(() => {
      const all = waiting.get(listId) ?? [];
      waiting.delete(listId);
      for (let from = 0; from < all.length; from += AT_ONCE) void settle(listId, all.slice(from, from + AT_ONCE));
    });
  });
}

async function settle(listId: string, asked: readonly Waiting[]): Promise<void> {
  try {
    const ids = [...new Set(asked.map(({ id }) => id))].join();
    const { leads } = await callApi(leadVerdictsEndpoint, { query: { listId, ids } });
    const verdicts = new Map(leads.map((one) => [one.id, one]));
    for (const { id, take } of asked) take(verdicts.get(id) ?? null);
  } catch (error) {
    for (const { fail } of asked) fail(error);
  }
}

/** Whether a lead may be called now; null for one that is gone. */
export const leadVerdictQuery = (listId: string, id: string) =>
  queryOptions({
    queryKey: [...leadKeys.ofList(listId), 'call', id],
    queryFn: () => ask(listId, id),
    staleTime: MINUTE_MS,
    refetchInterval: MINUTE_MS,
  });
