import type { PkceChallenge } from './pkce.ts';

/** What someone wants a link for, and who asks. */
export type LinkRequest = {
  /** Normalized. */
  email: string;
  type: 'magiclink' | 'recovery';
  /** Whether a user may be made for an address that has none. */
  createUser: boolean;
  /** `user_metadata` of a new user, once the mail has come back: anyone who asks is not proven to be that person. */
  metadata: object;
  challenge: PkceChallenge | undefined;
  /** An allowed address. */
  redirectTo: string;
  /** The source of the request. The caller has counted it. */
  ip: string;
  /** No one learns whether the address has an account. */
  discreet?: boolean;
};
