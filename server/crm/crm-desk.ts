import { type Crm, ProviderError } from '#providers/provider.ts';
import { type CrmConnection, findCrmRow, openCrmConnection } from './connection.ts';
import { awaitCrmDeparture } from './crm-departures.ts';
import { notConnected } from './crm-errors.ts';
import { createCrmRest } from './crm-rest.ts';
import { type CrmDeps, refreshTokens } from './refresh-tokens.ts';

const MINUTE_MS = 60_000;
/** The keeper refreshes this long before an access token ends. */
const EARLY_MS = 30 * MINUTE_MS;
/** A refresh token that no one uses ends after 45 days; used every night it never does. */
const IDLE_MS = 24 * 60 * MINUTE_MS;

/** `mostWaitMs`: how long a call may wait for its departure. */
type Patience = { mostWaitMs: number; signal: AbortSignal };

type Question<T> = (crm: Crm, accessToken: string) => Promise<T>;

/** How this process asks the CRM. One for each process, because it refreshes once for everyone who waits. */
export type CrmDesk = {
  /**
   * Asks with a working token: spaced, refreshed when it has ended, and once more after a 401.
   * After the CRM has said that a limit is used up, that is thrown again for a while without asking.
   * @throws ProviderError
   * @throws CONFLICT while nothing is connected, PROVIDER_BAD_CREDENTIALS when the connection has expired.
   * @throws PROVIDER_RATE_LIMITED when too many ask.
   */
  ask<T>(question: Question<T>, patience: Patience): Promise<T>;
  /** Refreshes 30 minutes before the access token ends, and once a day. */
  refreshWhenDue(): Promise<void>;
};

export function createCrmDesk(deps: CrmDeps): CrmDesk {
  const refreshing = new Map<string, Promise<CrmConnection>>();
  /** Never ends with a caller: a refresh that is under way must be stored. */
  const refresh = (seenToken: string) => {
    const begun =
      refreshing.get(seenToken) ?? refreshTokens(deps, seenToken).finally(() => refreshing.delete(seenToken));
    refreshing.set(seenToken, begun);
    return begun;
  };
  const rest = createCrmRest();
  const current = async () => openCrmConnection(deps.vault, await findCrmRow(deps.db));

  async function usable(signal: AbortSignal): Promise<CrmConnection> {
    const connection = await current();
    if (!connection) throw notConnected();
    if (connection.expiresAt.getTime() > Date.now() + MINUTE_MS) return connection;
    return unlessAborted(refresh(connection.accessToken), signal);
  }

  async function askOnce<T>(connection: CrmConnection, question: Question<T>, patience: Patience): Promise<T> {
    const { clientId, accessToken } = connection;
    rest.keep(clientId);
    await awaitCrmDeparture(deps, clientId, patience);
    try {
      return await question(deps.providers.crm(connection), accessToken);
    } catch (error) {
      rest.begin(clientId, error);
      throw error;
    }
  }

  return {
    async ask(question, patience) {
      const first = await usable(patience.signal);
      try {
        return await askOnce(first, question, patience);
      } catch (error) {
        if (!(error instanceof ProviderError && error.kind === 'bad_credentials')) throw error;
      }
      const second = await unlessAborted(refresh(first.accessToken), patience.signal);
      return askOnce(second, question, patience);
    },

    async refreshWhenDue() {
      const connection = await current();
      if (!connection || connection.refused) return;
      const { expiresAt, refreshedAt, accessToken } = connection;
      const now = Date.now();
      if (expiresAt.getTime() - now < EARLY_MS || now - refreshedAt.getTime() > IDLE_MS) await refresh(accessToken);
    },
  };
}

/** Waits for `work` until the signal aborts; the work itself goes on. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
