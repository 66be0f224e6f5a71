import { ProviderError } from '#providers/provider.ts';

/** How long no one asks after a refusal that names no time. */
const REST_MS = 5_000;
/** The longest rest: after it one call looks whether the limit is still in force. */
const LONGEST_REST_MS = 5 * 60_000;

/** Keeps a process from running into a limit of the CRM again and again once it was told that it is used up. */
export type CrmRest = {
  /** @throws the refusal of before while the rest of that client lasts. */
  keep(clientId: string): void;
  /** Begins a rest if `error` says that too much was asked. */
  begin(clientId: string, error: unknown): void;
};

export function createCrmRest(now: () => number = Date.now): CrmRest {
  let latest: { clientId: string; until: number; refusal: ProviderError } | undefined;
  return {
    keep(clientId) {
      if (latest?.clientId === clientId && now() < latest.until) throw latest.refusal;
    },
    begin(clientId, error) {
      if (!(error instanceof ProviderError)) return;
      if (error.kind !== 'rate_limited' && error.kind !== 'out_of_credit') return;
      const restMs = Math.min(error.retryAfterMs ?? REST_MS, LONGEST_REST_MS);
      latest = { clientId, until: now() + restMs, refusal: error };
    },
  };
}
