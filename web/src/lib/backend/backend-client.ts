import type { GoTrueClient } from '@supabase/auth-js';
import type { PostgrestClient } from '@supabase/postgrest-js';
import type { RealtimeClient } from '@supabase/realtime-js';
import type { StorageClient } from '@supabase/storage-js';

type Library = typeof import('./backend-library.ts');

/** supabase-js in parts, so that a page fetches only what it uses: sockets and files come when they are asked for. */
export type BackendClient = {
  auth: GoTrueClient;
  from: PostgrestClient['from'];
  /** Follows the session's token, as the socket that it opens does. */
  realtime(): Promise<RealtimeClient>;
  storage(): Promise<StorageClient>;
};

export type BackendOptions = {
  url: string;
  key: string;
  auth: { persistSession: boolean; autoRefreshToken: boolean; detectSessionInUrl: boolean; storageKey?: string };
  fetch?: typeof fetch;
};

/** Puts the parts together the way supabase-js does: each sends the session's token, or else the publishable key. */
export function assembleClient({ AuthClient, PostgrestClient }: Library, options: BackendOptions): BackendClient {
  const { url, key } = options;
  const base = url.replace(/\/+$/, '');
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  const auth = new AuthClient({
    ...options.auth,
    // The name of the client's switch; our backend has had them from the start.
    experimental: { recoveryCodes: true },
    url: `${base}/auth/v1`,
    headers: { Authorization: `Bearer ${key}`, apikey: key },
    flowType: 'pkce',
    fetch: send,
  });
  const token = async (): Promise<string> => (await auth.getSession()).data.session?.access_token ?? key;
  const sendAsSession: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has('apikey')) headers.set('apikey', key);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${await token()}`);
    return send(input, { ...init, headers });
  };
  // The query cache tries reads again; both together would hide an outage for half a minute.
  const rest = new PostgrestClient(`${base}/rest/v1`, { fetch: sendAsSession, retry: false });
  return {
    auth,
    from: rest.from.bind(rest),
    realtime: once(async () => {
      const { RealtimeClient } = await import('@supabase/realtime-js');
      const address = `${base.replace(/^http/, 'ws')}/realtime/v1`;
      const realtime = new RealtimeClient(address, {
        params: { apikey: key },
        accessToken: token,
        fetch: sendAsSession,
      });
      followToken(auth, realtime);
      return realtime;
    }),
    storage: once(async () => {
      const { StorageClient } = await import('@supabase/storage-js');
      return new StorageClient(`${base}/storage/v1`, {}, sendAsSession);
    }),
  };
}

function followToken(auth: GoTrueClient, realtime: RealtimeClient): void {
  let told: string | undefined;
  auth.onAuthStateChange((event, session) => {
    const next = event === 'SIGNED_OUT' ? undefined : session?.access_token;
    if (event !== 'SIGNED_OUT' && next === told) return;
    told = next;
    void realtime.setAuth(next);
  });
}

/** Makes it at the first call; after a failure the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
