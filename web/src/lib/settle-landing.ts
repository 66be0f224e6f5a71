import { type Landing, type LandingProblem, landingProblem, withoutLanding } from './landing.ts';
import { rememberReturnTo, takeReturnTo } from './return-to.ts';
import { getSupabase } from './supabase.ts';

/**
 * Lets the client take the code out of the address, then puts the address right before the router reads it: where the
 * person wanted to go, or /login. Answers what went wrong, if anything did.
 */
export async function settleLanding(landing: Landing): Promise<LandingProblem | undefined> {
  const supabase = await getSupabase();
  const { error } = await supabase.auth.initialize();
  const { data } = await supabase.auth.getSession();
  const problem = landingProblem(landing, error, data.session !== null);
  const landedAt = withoutLanding(window.location.href);
  if (problem) {
    if (landedAt !== '/') rememberReturnTo(landedAt);
    window.history.replaceState(null, '', '/login');
  } else {
    window.history.replaceState(null, '', landedAt === '/' ? takeReturnTo() : landedAt);
  }
  return problem;
}
