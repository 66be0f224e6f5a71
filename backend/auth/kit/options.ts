import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { AccessGate } from './access-gate.ts';
import type { AuthHooks } from './hooks.ts';
import type { IdentityProvider } from './identity-provider.ts';

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

/** What the auth protocol needs from the rest of the server. */
export type AuthOptions = {
  db: Db;
  vault: Vault;
  gate: AccessGate;
  /** May throw an AuthError of its own; whatever else it throws is answered as 500. */
  sendMail(mail: { to: string; subject: string; text: string; html: string }): Promise<void>;
  /**
   * Texts someone. `to`: E.164, with the plus. Absent where no one sends text messages.
   * @throws when nothing can be sent to anyone.
   */
  sendSms?: ((message: { to: string; text: string }) => Promise<'sent' | 'bad number'>) | undefined;
  /** `${PUBLIC_URL}/auth/v1`, the `iss` of access tokens. */
  issuer: string;
  /** `PUBLIC_URL`, without a slash at the end: where links lead that name no allowed place. */
  siteUrl: string;
  /** Origins that a link may lead back to. */
  allowedRedirects: readonly string[];
  /** Default: none is asked. */
  hooks?: AuthHooks;
  /** By whose word people may sign in, besides by mail. Default: no one's. */
  identityProviders?: readonly IdentityProvider[];
  /** The address that limits are counted for, by the server's proxy rules. */
  clientIp(request: Request): string;
  /** Whether a request came with the secret key, and in no one else's name. */
  isService(request: Request): boolean;
  log: AuthLog;
  /** Learns whose request it is, once that is proven. */
  onActor?(userId: string): void;
  /** Learns of each event, inside its transaction if it has one. */
  onEvent(db: Db, event: AuthEvent): Promise<void>;
};
