import type { AuthMail } from '#backend/auth/messages/auth-mail.ts';
import type { AccountChange } from '#backend/auth/messages/notice-mail.ts';
import type { Newcomer, UserJson } from '#backend/auth/people/users.ts';
import type { Claims } from '#backend/auth/tokens/claims.ts';
import type { Caller } from './caller.ts';

/** How someone came by a token: `token_refresh`, or as `amr` names it. */
export type TokenWish = { method: string; ip: string };

/** A code to text. `phone`: digits only; `isFactor`: it proves a second step. */
export type CodeToText = { phone: string; code: string; isFactor: boolean };

/**
 * Steps of signing in that others may decide or do, as with GoTrue's hooks. They come after the gate.
 * - What is missing is not asked. Each refuses by throwing an AuthError.
 */
export type AuthHooks = {
  /** Before an account is made, except by `admin.createUser`. Outside of transactions: it may take seconds. */
  beforeUserCreated?(newcomer: Newcomer, caller: Pick<Caller, 'ip'>): Promise<void>;
  /** At every sign-in and refresh, in the transaction that opens or continues the session. Returns the token's claims. */
  customAccessToken?(claims: Claims, wish: TokenWish): Promise<Claims>;
  /** In place of `sendMail`. A change of address has two mails. */
  sendEmail?(user: UserJson, mails: readonly [AuthMail, (AuthMail | undefined)?]): Promise<void>;
  /** In place of `sendMail`, for what owners are told of their account. Comes with `sendEmail`. */
  sendNotice?(user: UserJson, change: AccountChange): Promise<void>;
  /** In place of `sendSms`. */
  sendSms?(user: UserJson, message: CodeToText): Promise<void>;
};
