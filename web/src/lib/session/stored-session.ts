import type { Session } from '@supabase/supabase-js';
import type { AppConfig } from '#contract/config.ts';
import { isBackendDisabled, isSignInElsewhere } from '#web/lib/backend/config.tsx';
import { readStored } from '#web/lib/storage/storage.ts';
import { EARLIER_TOKEN_KEY } from './earlier-session.ts';

/** Where the session is kept in localStorage. */
export const SESSION_STORAGE_KEY = 'fairlead-session';

/** The client renews a token that runs out within this time, in ms. */
const RENEWED_BEFORE_MS = 90_000;

/** Whether there is nothing from which a session could come: a link that signs in is settled before the first page. */
export const isNothingStored = (): boolean =>
  readStored(SESSION_STORAGE_KEY) === undefined && readStored(EARLIER_TOKEN_KEY) === undefined;

/**
 * The stored session, if its token can be used as it is: then no one has to wait for the client, which renews sessions and forgets
 * them. It is read again each time, because other tabs write it too. Undefined wherever the client might see it differently.
 */
export function usableSession(config: AppConfig): Session | undefined {
  if (isBackendDisabled(config) || isSignInElsewhere(config)) return undefined;
  try {
    const stored = JSON.parse(readStored(SESSION_STORAGE_KEY) ?? 'null') as Partial<Session> | null;
    if (!stored?.access_token || !stored.refresh_token || !stored.user?.id || !stored.expires_at) return undefined;
    return stored.expires_at * 1000 - Date.now() > RENEWED_BEFORE_MS ? (stored as Session) : undefined;
  } catch {
    return undefined;
  }
}
