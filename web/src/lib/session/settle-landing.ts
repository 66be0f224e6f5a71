import { getSupabase } from '#web/lib/backend/supabase.ts';
import {
  type AddressNews,
  type IdentityNews,
  identityNews,
  type Landing,
  type LandingNews,
  landingProblem,
  withoutLanding,
} from './landing.ts';
import { rememberReturnTo, takeReturnTo } from './return-to.ts';

/**
 * Lets the client take the code out of the address, then puts the address right before the router reads it: where the
 * person wanted to go, or /login. Returns what there is to tell.
 */
export async function settleLanding(landing: Landing): Promise<LandingNews | undefined> {
  if (landing.kind === 'address') return settleAddress(landing.news);
  if (landing.kind === 'identity') return settleIdentity(landing);
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

/** Anyone who is signed in stays so, and sees the new address: the code is not exchanged, which would open a second session. */
async function settleAddress(news: AddressNews): Promise<AddressNews> {
  const landedAt = withoutLanding(window.location.href);
  window.history.replaceState(null, '', landedAt);
  const { auth } = await getSupabase();
  const { data } = await auth.getSession();
  if (data.session) {
    await auth.refreshSession();
  } else {
    rememberReturnTo(landedAt);
    window.history.replaceState(null, '', '/login');
  }
  return news;
}

/** The client never sees this address: whatever goes wrong, anyone who is signed in stays so. */
async function settleIdentity(landing: Landing & { kind: 'identity' }): Promise<IdentityNews> {
  const landedAt = withoutLanding(window.location.href);
  window.history.replaceState(null, '', landedAt);
  const { auth } = await getSupabase();
  let news: IdentityNews = 'news' in landing ? landing.news : 'identity_linked';
  if ('code' in landing) {
    const { error } = await auth.exchangeCodeForSession(landing.code);
    if (error) news = identityNews(error.code);
  }
  const { data } = await auth.getSession();
  if (!data.session) {
    rememberReturnTo(landedAt);
    window.history.replaceState(null, '', '/login');
  }
  return news;
}
