import type { Tx } from '#db/connection/tx.ts';
import type { Standing } from '#db/roles/standing.ts';

/** `message` is shown to the person as it is. `reason` is a code such as `NO_CONTACT` or `DISABLED`. */
export type AccessDenial = { allow: false; reason: string; message: string };
/** Whether someone may sign in or stay signed in. `as` is the gate's own word for why; `admit` wants it back. */
export type AccessDecision = { allow: true; as: string } | AccessDenial;

/** Who gets in. Addresses arrive normalized (see email-address.ts). */
export type AccessGate = {
  /**
   * May this address sign in? Called after rate limits were counted, and never inside a transaction: the answer may come from
   * someone else's server.
   */
  decide(email: string): Promise<AccessDecision>;
  /** May someone who may sign in as `from` do so as `to`, which is not yet theirs? Never inside a transaction either. */
  decideToMove(from: string, to: string): Promise<AccessDecision>;
  /** May someone who is signed in go on? Never inside a transaction either. `standing`: theirs, where it is known already. */
  decideToStay(email: string, standing?: Standing): Promise<AccessDecision>;
  /**
   * Inside the transaction that makes a session, with what was `decided` before it: writes profile and last_sign_in_at, accepts the invitation, decides the first
   * person under a lock. A denial must leave nothing written: the transaction is committed, because the link is spent either way.
   */
  admit(
    tx: Tx,
    user: { id: string; email: string },
    decided: AccessDecision,
  ): Promise<{ allow: true; role: 'user' | 'admin' } | AccessDenial>;
};
