import type { SupabaseClient } from '@supabase/supabase-js';
import { carryOverSession } from '#contract/sessions.ts';
import { TOKEN_OF_BEFORE_KEY } from './session-of-before.ts';
import { readStored, removeStored } from './storage.ts';

/** The page waits this long for it, in ms. */
const PATIENCE_MS = 15_000;

/**
 * Exchanges the session that was put aside for one of Supabase's, in one tab at a time: the others find it done. Never throws. What the
 * server refuses is forgotten, what could not be asked is kept for the next page; either way somebody signs in as ever.
 */
export async function carryOver(supabase: SupabaseClient): Promise<void> {
  const exchange = async () => {
    const token = readStored(TOKEN_OF_BEFORE_KEY);
    if (token === undefined) return;
    const isSettled = await exchangeToken(supabase, token).catch(() => false);
    if (isSettled) removeStored(TOKEN_OF_BEFORE_KEY);
  };
  // Missing in pages without TLS.
  await ('locks' in navigator ? navigator.locks.request('fairlead-carry-over', exchange) : exchange());
}

/** Answers false where another try may do better. */
async function exchangeToken({ auth }: SupabaseClient, refresh_token: string): Promise<boolean> {
  const { method, path, data } = carryOverSession;
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
