import type { VerifyType } from '#backend/auth/codes/one-time-tokens.ts';
import type { MailEnds, MailKind } from './mail-template.ts';

/** A mail that signs someone in, or proves who they are. `ends`: unset for a new one. */
export type AuthMail = {
  to: string;
  kind: MailKind;
  userId: string;
  code: string;
  ends?: MailEnds | undefined;
  link?: LinkParts;
};

/** `redirectTo`: an allowed address. */
export type LinkParts = { token: string; type: VerifyType; redirectTo: string };
