import type { Tx } from '#db/connection/tx.ts';
import type { LiveSession } from '#db/roles/sessions.ts';
import type { AccessClaims } from './access-claims.ts';

/** A place where someone is signed in. */
export type SessionRow = {
  id: string;
  user_agent: string | null;
  ip: string | null;
  created_at: Date;
  last_used_at: Date;
  /** When it ends by itself, unless it is used; null where that is not told. */
  ends_at: Date | null;
  is_current: boolean;
};

/** Someone's session. */
type SessionOf = Pick<AccessClaims, 'userId' | 'sessionId'>;

/**
 * Where accounts and sessions are kept: in the tables of our own backend, or at hosted Supabase, whose tables we do not touch.
 * - Profiles are ours on both footings, and the authority on role and status.
 * - What `letIn`, `copyRole`, `removeFactors`, `remove`, `metadataOf` and `signInToken` ask for may be refused elsewhere.
 * @throws UNAVAILABLE, RATE_LIMITED, NOT_FOUND, VALIDATION_FAILED or CONFLICT for what is refused elsewhere.
 * The text says what an administrator can do.
 */
export type Accounts = {
  /** Whether sessions and second factors are rows of ours, which end when administrators say so. */
  keepsSessions: boolean;
  /** Whether `remove` works within our transaction. Otherwise it waits for all that the transaction has locked. */
  removesInTransaction: boolean;
  /** Whether owners are mailed what administrators do to their account, without our doing. */
  tellsOwners: boolean;
  /** The session of a verified token, unless it has ended. `status` and `needsSecondStep` must be looked at. */
  findSession(claims: Omit<AccessClaims, 'aal'>): Promise<LiveSession | undefined>;
  /** Locks an account until the transaction ends, before its profile. */
  lock(tx: Tx, userId: string): Promise<void>;
  /** Ends all sessions of someone whose profile was just disabled. */
  shutOut(tx: Tx, userId: string): Promise<void>;
  /** Undoes what `shutOut` did that lasts. */
  letIn(tx: Tx, userId: string): Promise<void>;
  /** Copies the profile's role to where clients look for it. */
  copyRole(tx: Tx, userId: string, role: 'user' | 'admin'): Promise<void>;
  /**
   * Takes away all second factors and the number that signs in beside our own backend, and ends the sessions, as far as possible here.
   * Returns how many factors there were.
   */
  removeFactors(tx: Tx, userId: string): Promise<number>;
  /** Deletes an account, and with it what refers to it. */
  remove(tx: Tx, userId: string): Promise<void>;
  /** What people have written about themselves. */
  metadataOf(userId: string): Promise<unknown>;
  /** Where someone is signed in, as far as it is told. */
  listSessions(user: SessionOf): Promise<SessionRow[]>;
  /**
   * Returns what signs someone in at once, as the link of a mail would: the token hash for `verifyOtp`.
   * Absent where no session was carried over from.
   */
  signInToken?(userId: string): Promise<string>;
  /** Ends a session of someone; false for what is none that can be ended from here. */
  endSession(tx: Tx, userId: string, sessionId: string): Promise<boolean>;
  /** Ends the sessions kept here that are older than administrators allow now. Returns how many. */
  endOldSessions(tx: Tx): Promise<number>;
  /**
   * Mails an invitation that stands in the database; false when no one but us can.
   * @throws MAIL_FAILED
   */
  mailInvitation(invitation: { email: string; role: 'user' | 'admin' }): Promise<boolean>;
};
