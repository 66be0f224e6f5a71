import { SWEEP_MARKER_KEY } from '#contract/work/retention.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { forgetDrafts } from '#web/lib/storage/drafts.ts';
import { removeStored } from '#web/lib/storage/storage.ts';

/** Ends the session of this browser, whatever the server answers, and starts the page again at /account. */
async function logOut(): Promise<void> {
  const supabase = await getSupabase();
  forgetDrafts();
  await supabase.auth.signOut({ scope: 'local' });
  forgetDrafts();
  removeStored(SWEEP_MARKER_KEY);
  window.location.assign('/account');
}

export function useLogout(): () => void {
  return () => void logOut();
}
