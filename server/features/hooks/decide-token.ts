import { Email } from '#contract/access/precheck.ts';
import { admitArrival } from '#server/accounts/hosted/admit-arrival.ts';
import type { Deps } from '#server/deps.ts';
import type { Denial } from './decide-once.ts';
import { BY_PASSWORD, type CustomAccessToken, TOKEN_REFRESH } from './events.ts';

/**
 * Decides whether this person may have a token: no one by a password, and no one anonymous.
 * - A refresh has the grace of those who are signed in. Everything else is a sign-in, which writes the profile.
 * - Goes by the account, so that no one who is disabled gets back in with another address.
 */
export async function decideToken({ db, gate }: Pick<Deps, 'db' | 'gate'>, event: CustomAccessToken): Promise<Denial> {
  if (event.claims.is_anonymous === true || isByPassword(event)) return 'NO_CONTACT';
  const profile = await db
    .selectFrom('app.profiles')
    .select('email')
    .where('user_id', '=', event.user_id)
    .executeTakeFirst();
  const email = Email.safeParse(profile?.email ?? event.claims.email);
  if (!email.success) return 'NO_CONTACT';
  const stays = event.authentication_method === TOKEN_REFRESH;
  const decision = await (stays ? gate.decideToStay(email.data) : gate.decide(email.data));
  if (!decision.allow) return decision.reason;
  if (stays) return null;
  const admission = await admitArrival({ db, gate }, { id: event.user_id, email: email.data }, decision);
  return !admission || admission.allow ? null : admission.reason;
}

/**
 * Whether a session began with a password. We set none, but Supabase takes one from anyone who signs up first with an address.
 * It stays valid when the owner of the address confirms it.
 */
function isByPassword({ authentication_method: method, claims: { amr } }: CustomAccessToken): boolean {
  return [method, ...(Array.isArray(amr) ? amr : []).map(methodOf)].includes(BY_PASSWORD);
}

const methodOf = (entry: unknown) =>
  typeof entry === 'object' && entry !== null && 'method' in entry ? entry.method : entry;
