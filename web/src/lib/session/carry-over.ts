import { carryOverSessionEndpoint } from '#contract/access/sessions.ts';
import type { BackendClient } from '#web/lib/backend/backend-client.ts';
import { readStored } from '#web/lib/storage/storage.ts';
import { EARLIER_TOKEN_KEY, forgetEarlierSession } from './earlier-session.ts';

/** The page waits this long for it, in ms: the server asks Supabase twice, for 8 s at most. */
const PATIENCE_MS = 18_000;
/** What another tab has stored is seen here soon after it, in ms. */
const [SEEN_AFTER_MS, LOOK_EVERY_MS] = [1_000, 50];
const LOCK = 'fairlead-carry-over';

/**
 * Exchanges the session that was put aside for one of Supabase's, in one tab of those that open together. Never throws. What the server
 * refuses is forgotten, what could not be asked is kept for the next page; either way someone signs in as ever.
 */
export async function carryOver(supabase: BackendClient): Promise<void> {
  // Missing in pages without TLS.
  if (!('locks' in navigator)) return exchange(supabase);
  const isFirst = await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) await exchange(supabase);
    return lock !== null;
  });
  if (!isFirst) await navigator.locks.request(LOCK, seeItGone);
}

async function seeItGone(): Promise<void> {
  for (let waited = 0; waited < SEEN_AFTER_MS && readStored(EARLIER_TOKEN_KEY) !== undefined; waited += LOOK_EVERY_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

async function exchange(supabase: BackendClient): Promise<void> {
  const token = readStored(EARLIER_TOKEN_KEY);
  if (token === undefined) return;
  const isSettled = await exchangeToken(supabase, token).catch(() => false);
  if (isSettled) forgetEarlierSession();
}

/** Returns false where another try may do better. */
async function exchangeToken({ auth }: BackendClient, refresh_token: string): Promise<boolean> {
  const { method, path, data } = carryOverSessionEndpoint;
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) return response.status < 500 && response.status !== 429;
  const { token_hash } = data.parse((await response.json()).data);
  await auth.verifyOtp({ token_hash, type: 'email' });
  return true;
}
