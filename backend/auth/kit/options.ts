import type { Db } from '#db/client.ts';
import type { Standing } from '#db/standing.ts';
import type { Tx } from '#db/tx.ts';
import type { Vault } from '#db/vault.ts';
import type { AuthHooks } from './hooks.ts';

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

/** Someone whom the gate did not let in, and what they were about to do. */
export type AuthRefusal = { email: string; reason: string; at: 'link' | 'sign_in' | 'refresh' };

/** What is done to people through the admin API. */
type AdminAct = 'created' | 'changed' | 'deleted' | 'invited' | 'link made' | 'factor removed';

/** What the owner of the server wants to know of. `ip` is the caller's. */
export type AuthEvent = { ip: string } & (
  | { type: 'signed_in'; userId: string; way: 'link' | 'code' | 'oauth' }
  | { type: 'signed_out'; userId: string; scope: 'global' | 'local' | 'others' }
  | { type: 'email_changed' | 'phone_changed'; userId: string }
  /** A second factor was verified for the first time, or taken away by its owner. */
  | { type: 'factor_added' | 'factor_removed'; userId: string; factor: 'totp' | 'phone' }
  /** Someone has shown by a code of their mailbox, for the session they are in, that it is them. */
  | { type: 'proven'; userId: string }
  /** A session has proven a second factor. */
  | { type: 'stepped_up'; userId: string; factor: 'totp' | 'phone' | 'recovery_code' }
  | { type: 'recovery_codes_made' | 'recovery_codes_removed'; userId: string }
  | { type: 'identity_linked' | 'identity_unlinked'; userId: string; provider: string }
  /** A spent refresh token was presented again, and its session ended. */
  | { type: 'reuse_detected'; userId: string }
  /** By anyone who holds the secret key. */
  | { type: 'administered'; userId: string; act: AdminAct }
  | ({ type: 'refused' } & AuthRefusal)
);

/** The part of a pino logger that is used. Fields hold ids only, never addresses or tokens. */
type AuthLog = {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Someone who tells by OpenID Connect who people are. */
export type IdentityProvider = {
  /** As clients name it: `google`, or `custom:` and a name. */
  name: string;
  /** Its address. Only a simulated one may have `http:`. */
  issuer: string;
  /** By the first one people are sent there; ID tokens for any of them are taken. */
  clientIds: readonly [string, ...string[]];
  clientSecret: string;
};

/** What the auth protocol needs from the rest of the server. */
export type AuthOptions = {
  db: Db;
  vault: Vault;
  gate: AccessGate;
  /** May throw an AuthError of its own; whatever else it throws is answered as 500. */
  sendMail(mail: { to: string; subject: string; text: string; html: string }): Promise<void>;
  /** Texts someone. `to`: E.164, with the plus. Throws when nothing can be sent to anyone; absent where no one sends text messages. */
  sendSms?: ((message: { to: string; text: string }) => Promise<'sent' | 'bad number'>) | undefined;
  /** `${PUBLIC_URL}/auth/v1`, the `iss` of access tokens. */
  issuer: string;
  /** `PUBLIC_URL`, without a slash at the end: where links lead that name no allowed place. */
  siteUrl: string;
  /** Origins that a link may lead back to. */
  allowedRedirects: readonly string[];
  /** Default: none is asked. */
  hooks?: AuthHooks;
  /** By whose word people may sign in, besides by mail. Default no one's. */
  identityProviders?: readonly IdentityProvider[];
  /** The address that limits are counted for, by the server's proxy rules. */
  clientIp(request: Request): string;
  /** Whether a request came with the secret key, and in no one else's name. */
  isService(request: Request): boolean;
  log: AuthLog;
  /** Told whose request it is, once that is proven. */
  onActor?(userId: string): void;
  /** Told of each event, in the transaction that it belongs to where there is one. */
  onEvent(db: Db, event: AuthEvent): Promise<void>;
};
