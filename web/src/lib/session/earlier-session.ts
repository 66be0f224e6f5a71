import { isSignInElsewhere } from '#web/lib/backend/config.tsx';
import { readStored, removeStored, writeStored } from '#web/lib/storage/storage.ts';

/** Where the refresh token of a session from before the move to hosted Supabase waits, in localStorage. */
export const EARLIER_TOKEN_KEY = 'fairlead-session-before';

/**
 * Puts aside a stored session that this site itself has made, where sign-in is elsewhere by now. Returns whether one waits; not anymore
 * once someone is signed in there.
 */
export function setEarlierSessionAside(backendUrl: string, storageKey: string): boolean {
  if (!isSignInElsewhere({ backendUrl })) return false;
  const stored = readStored(storageKey);
  const token = stored === undefined ? undefined : tokenOfThisSite(stored);
  if (token !== undefined) {
    writeStored(EARLIER_TOKEN_KEY, token);
    removeStored(storageKey);
  } else if (stored !== undefined) {
    forgetEarlierSession();
  }
  return readStored(EARLIER_TOKEN_KEY) !== undefined;
}

export const forgetEarlierSession = (): void => removeStored(EARLIER_TOKEN_KEY);

/** The refresh token of a stored session, if this site is its issuer. */
function tokenOfThisSite(stored: string): string | undefined {
  try {
    const { access_token: access, refresh_token: refresh } = JSON.parse(stored);
    const claims = access.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
    const isOurs = JSON.parse(atob(claims)).iss === `${window.location.origin}/auth/v1`;
    return isOurs && typeof refresh === 'string' ? refresh : undefined;
  } catch {
    return undefined;
  }
}
