import type { AppConfig } from '#contract/config.ts';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { forgetEarlierSession, setEarlierSessionAside } from '#web/lib/session/earlier-session.ts';
import { readLanding } from '#web/lib/session/landing.ts';
import { noteLinkSent } from '#web/lib/session/link-sent.ts';
import { watchSessionEnd } from '#web/lib/session/session-end.ts';
import { SESSION_STORAGE_KEY } from '#web/lib/session/stored-session.ts';
import { assembleClient, type BackendClient } from './backend-client.ts';
import { isBackendDisabled, loadConfig } from './config.tsx';
import { noteWait } from './waits.ts';

export const BACKEND_DISABLED = 'The backend is disabled because environment settings are missing.';

const library = () => loadAgain(() => import('./backend-library.ts'), 'AuthClient');

type Library = ReturnType<typeof library>;

/** Fails every call with an error that says what is missing, and sends nothing. */
async function createDisabledClient(parts: Library): Promise<BackendClient> {
  const refuse = async () =>
    Response.json(
      { message: BACKEND_DISABLED, code: 'backend_disabled' },
      // Since this version of the protocol, `code` is the error's name.
      { status: 400, headers: { 'x-supabase-api-version': '2024-01-01' } },
    );
  return assembleClient(await parts, {
    url: 'http://backend.invalid',
    key: 'missing',
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    fetch: refuse,
  });
}

/** The client for sign-in and for the direct data calls. */
export async function createBackendClient(config: AppConfig, parts: Library = library()): Promise<BackendClient> {
  if (isBackendDisabled(config)) return createDisabledClient(parts);
  const loaded = await parts;
  // Before the client is made, which would find it invalid and forget it.
  const waits = setEarlierSessionAside(config.backendUrl, SESSION_STORAGE_KEY);
  const supabase = assembleClient(loaded, {
    url: config.backendUrl,
    key: config.backendKey,
    auth: {
      persistSession: true,
      autoRefreshToken: true,
      detectSessionInUrl: true,
      storageKey: SESSION_STORAGE_KEY,
    },
    fetch: async (input, init) => {
      const response = await watchSessionEnd(input, init);
      noteWait(response);
      noteLinkSent(response);
      return response;
    },
  });
  // However someone signs in: what waited would sign them in again after they have signed out.
  if (waits) supabase.auth.onAuthStateChange((event) => event === 'SIGNED_IN' && forgetEarlierSession());
  // Anyone who arrives by a link signs in by that.
  if (waits && readLanding(window.location.href).kind === 'none') {
    const { carryOver } = await import('#web/lib/session/carry-over.ts');
    await carryOver(supabase);
  }
  return supabase;
}

let client: Promise<BackendClient> | undefined;

/**
 * The one client of the page, made as soon as the configuration is known. Rejects only when the page's own files cannot be loaded; the next
 * call tries again.
 */
export function getSupabase(): Promise<BackendClient> {
  if (!client) {
    const parts = library();
    parts.catch(() => {}); // fetched beside the configuration; createBackendClient reports a failure
    client = loadConfig().then((config) => createBackendClient(config, parts));
    client.catch(() => {
      client = undefined;
    });
  }
  return client;
}
