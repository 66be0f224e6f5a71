import type { FoundMail } from '#backend/auth/codes/one-time-tokens.ts';
import type { Arrival } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { type Decided, type Opening, openSession } from '#backend/auth/sessions/open-session.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type Confirmation, confirmEmailChange } from './confirm-email-change.ts';

/**
 * Takes one mailbox's confirmation of a change of address; with the second, the person who confirmed is signed in.
 * @throws AuthError
 */
export async function takeConfirmation(
  tx: Tx,
  context: AuthContext,
  found: FoundMail,
  decided: Decided,
  caller: Arrival,
): Promise<Opening | Exclude<Confirmation, { state: 'both_confirmed' }>> {
  const outcome = await confirmEmailChange(tx, context, found, decided, caller);
  if (outcome.state !== 'both_confirmed') return outcome;
  return openSession(tx, context, outcome.user, decided, caller);
}
