import { usableSession } from '#web/lib/session/stored-session.ts';
import { ApiError, dataError, NETWORK_MESSAGE } from './api-error.ts';
import { isBackendDisabled, loadConfig } from './config.tsx';
import { takeEarlyAnswer } from './early-answers.ts';
import { BACKEND_DISABLED, getSupabase } from './supabase.ts';
import { noteWait } from './waits.ts';

/**
 * Reads rows of a table from the data API, for the person who is signed in. `query`: PostgREST's parameters. The first page reads by this alone, and
 * does not wait for the client.
 */
export async function readRows(
  table: string,
  query: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<unknown[]> {
  const config = await loadConfig();
  if (isBackendDisabled(config)) throw new Error(BACKEND_DISABLED);
  const { backendUrl, backendKey } = config;
  const token = usableSession(config)?.access_token ?? (await tokenOfClient()) ?? backendKey;
  const address = `/rest/v1/${table}?${new URLSearchParams(query)}`;
  const headers = { accept: 'application/json', apikey: backendKey, authorization: `Bearer ${token}` };
  const ask = () => fetch(backendUrl.replace(/\/+$/, '') + address, { headers, ...(signal ? { signal } : {}) });
  try {
    const response = (await takeEarlyAnswer(address, token)) ?? (await ask());
    noteWait(response);
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as unknown[];
    throw dataError({ message: messageOf(text) });
  } catch (error) {
    if (signal?.aborted || !(error instanceof TypeError)) throw error;
    throw new ApiError(NETWORK_MESSAGE, { kind: 'network' });
  }
}

const tokenOfClient = async (): Promise<string | undefined> =>
  (await (await getSupabase()).auth.getSession()).data.session?.access_token;

/** What PostgREST says of a failure; anything else as it came. */
function messageOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // A proxy's page.
  }
  return text;
}
