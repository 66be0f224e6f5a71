import { SWEEP_MARKER_KEY } from '#contract/retention.ts';
import { removeStored } from '#web/lib/storage.ts';
import { getSupabase } from '#web/lib/supabase.ts';

/** Ends the session of this browser, whatever the server answers, and starts the page anew at /account. */
async function logOut(): Promise<void> {
  const supabase = await getSupabase();
  await supabase.auth.signOut({ scope: 'local' });
  removeStored(SWEEP_MARKER_KEY);
  window.location.assign('/account');
}

export function useLogout(): () => void {
  return () => void logOut();
}
