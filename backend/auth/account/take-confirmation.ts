import type { FoundMail } from '#backend/auth/codes/one-time-tokens.ts';
import type { AccessDenial } from '#backend/auth/kit/access-gate.ts';
import type { Arrival } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { type Decided, openSession } from '#backend/auth/sessions/open-session.ts';
import type { GrantedSession } from '#backend/auth/sessions/session-answer.ts';
import type { Tx } from '#db/connection/tx.ts';
import { confirmEmailChange } from './confirm-email-change.ts';

/** Takes one mailbox's confirmation of a change of address; with the second, the person who confirmed is signed in. Throws AuthError. */
export async function takeConfirmation(
  tx: Tx,
  context: AuthContext,
  found: FoundMail,
  decided: Decided,
  caller: Arrival,
): Promise<GrantedSession | AccessDenial | 'one confirmed' | undefined> {
  const outcome = await confirmEmailChange(tx, context, found, decided, caller);
  if (!outcome || 'allow' in outcome) return outcome;
  if (outcome.confirmed === 'one') return 'one confirmed';
  return openSession(tx, context, outcome.user, decided, caller);
}
