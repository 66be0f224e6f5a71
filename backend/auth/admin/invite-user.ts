import { sql } from 'kysely';
import { emailExists } from '#backend/auth/account/confirm-email-change.ts';
import { issueOneTimeToken } from '#backend/auth/codes/one-time-tokens.ts';
import { deniedError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { sendAuthMail } from '#backend/auth/messages/send-mail.ts';
import { overwriteMetadata } from '#backend/auth/people/metadata.ts';
import {
  findOrMakeUser,
  findUserByEmail,
  type Newcomer,
  newcomerAt,
  type UserJson,
  type UserRow,
} from '#backend/auth/people/users.ts';
import type { Tx } from '#db/connection/tx.ts';
import { asUserJson } from './find-user.ts';

export type Invite = {
  /** Normalized. */
  email: string;
  /** The metadata of a user who is created. */
  metadata: Record<string, unknown>;
  /** An allowed address. */
  redirectTo: string;
};

/**
 * Mails an invitation; a user is made when there is none.
 * @throws AuthError 403 of the gate, which must know of the invitation first; 422 `email_exists` for someone who has signed in before;
 * those of the hooks; 500.
 */
export async function inviteUser(context: AuthContext, invite: Invite, { ip }: Caller): Promise<UserJson> {
  const newcomer = await admitNewcomer(context, invite, { ip });
  const { user, issued } = await context.db.transaction().execute(async (tx) => {
    const user = await findOrInvite(tx, newcomer);
    const issued = await issueOneTimeToken(tx, context.vault, {
      userId: user.id,
      email: invite.email,
      type: 'invite',
      redirectTo: invite.redirectTo,
      challenge: undefined,
    });
    await context.onEvent(tx, { type: 'administered', act: 'invited', userId: user.id, ip });
    return { user, issued };
  });
  await sendAuthMail(context, {
    to: invite.email,
    kind: 'invite',
    userId: user.id,
    code: issued.code,
    link: { token: issued.linkToken, type: 'invite', redirectTo: invite.redirectTo },
  });
  return asUserJson(context.db, user);
}

/**
 * The account that is to be made should there be none.
 * @throws AuthError `validation_failed` for the metadata, and where there is none the denial of the gate and those of the hook.
 */
export async function admitNewcomer(
  context: AuthContext,
  { email, metadata }: Pick<Invite, 'email' | 'metadata'>,
  { ip }: Pick<Caller, 'ip'>,
): Promise<Newcomer> {
  const newcomer = newcomerAt(email, JSON.parse(overwriteMetadata({}, metadata)));
  if (await findUserByEmail(context.db, email)) return newcomer;
  const decision = await context.gate.decide(email);
  if (!decision.allow) throw deniedError(decision);
  await context.hooks.beforeUserCreated?.(newcomer, { ip });
  return newcomer;
}

/** @throws AuthError 422 `email_exists` for a confirmed user. */
export async function findOrInvite(tx: Tx, newcomer: Newcomer): Promise<UserRow> {
  const user = await findOrMakeUser(tx, newcomer);
  if (user.email_confirmed_at) throw emailExists();
  return tx
    .updateTable('auth.users')
    .set({ invited_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
