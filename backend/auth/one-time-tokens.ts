import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Tx } from '#db/tx.ts';
import type { DB } from '#db/types.gen.ts';
import type { Vault } from '#db/vault.ts';
import { AUTH_LIFETIMES } from './limits.ts';
import type { PkceChallenge } from './pkce.ts';
import { hashOfCode, hashOfToken, newCode, newToken } from './secrets.ts';
import { lockUser, type UserRow } from './users.ts';

export type OneTimeTokenRow = Selectable<DB['auth.one_time_tokens']>;
/** What a mail can be for, or a text message. */
export type MailType =
  | 'magiclink'
  | 'signup'
  | 'invite'
  | 'recovery'
  | 'email_change_current'
  | 'email_change_new'
  | 'reauthentication'
  | 'sms'
  | 'phone_change';
/** What a client may call it when it hands in a link's token or a code. */
export type VerifyType =
  | 'email'
  | 'magiclink'
  | 'signup'
  | 'invite'
  | 'recovery'
  | 'email_change'
  | 'sms'
  | 'phone_change';

/** Which mails may be answered as what: a sign-in mail is one for GoTrue's clients whether the address is new or known. */
export const mailTypesOf: Record<VerifyType, readonly MailType[]> = {
  email: ['magiclink', 'signup', 'invite'],
  magiclink: ['magiclink', 'signup'],
  signup: ['magiclink', 'signup'],
  invite: ['invite'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  sms: ['sms'],
  phone_change: ['phone_change'],
};

/**
 * Makes link and code of one mail, in place of older ones of the same type. Stored are hashes only. `email`: where it goes; of a text
 * message, the number.
 */
export async function issueOneTimeToken(
  tx: Tx,
  vault: Vault,
  input: { userId: string; email: string; type: MailType; redirectTo: string; challenge: PkceChallenge | undefined },
): Promise<{ linkToken: string; code: string }> {
  await lockUser(tx, input.userId);
  const replaced = await tx
    .deleteFrom('auth.one_time_tokens')
    .where('user_id', '=', input.userId)
    .where('token_type', '=', input.type)
    .returning('flow_state_id')
    .execute();
  await deleteFlows(
    tx,
    replaced.map((row) => row.flow_state_id),
  );

  const flow = input.challenge
    ? await tx
        .insertInto('auth.flow_state')
        .values({
          user_id: input.userId,
          code_challenge: input.challenge.challenge,
          code_challenge_method: input.challenge.method,
          authentication_method: input.type,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    : undefined;
  const linkToken = newToken();
  const code = newCode();
  await tx
    .insertInto('auth.one_time_tokens')
    .values({
      user_id: input.userId,
      token_type: input.type,
      email: input.email,
      link_hash: hashOfToken(linkToken),
      code_hash: hashOfCode(vault, input.userId, code),
      redirect_to: input.redirectTo,
      flow_state_id: flow?.id ?? null,
      expires_at: after(AUTH_LIFETIMES.mailMs),
      code_expires_at: after(AUTH_LIFETIMES.codeMs),
    })
    .execute();
  return { linkToken, code };
}

const after = (ms: number) => sql<Date>`now() + ${ms} * interval '1 millisecond'`;

/** A live mail, and its person. */
export type FoundMail = { mail: OneTimeTokenRow; user: UserRow };

/** The live mail of a link's token, with its person locked. */
export async function findByLink(tx: Tx, linkToken: string, type: VerifyType): Promise<FoundMail | undefined> {
  const live = tx
    .selectFrom('auth.one_time_tokens')
    .where('link_hash', '=', hashOfToken(linkToken))
    .where('token_type', 'in', mailTypesOf[type])
    .where('expires_at', '>', sql<Date>`now()`);
  const found = await live.select('user_id').executeTakeFirst();
  const user = found && (await lockUser(tx, found.user_id));
  const mail = user && (await live.selectAll().executeTakeFirst());
  return user && mail ? { mail, user } : undefined;
}

/** Spends a mail with both its ways in, and the PKCE flow that began with it. The person must be locked. */
export async function spend(tx: Tx, mail: Pick<OneTimeTokenRow, 'id' | 'flow_state_id'>): Promise<void> {
  await tx.deleteFrom('auth.one_time_tokens').where('id', '=', mail.id).execute();
  await deleteFlows(tx, [mail.flow_state_id]);
}

async function deleteFlows(tx: Tx, ids: (string | null)[]): Promise<void> {
  const known = ids.filter((id) => id !== null);
  if (known.length > 0) await tx.deleteFrom('auth.flow_state').where('id', 'in', known).execute();
}

export const isVerifyType = (text: string | undefined): text is VerifyType =>
  text !== undefined && Object.hasOwn(mailTypesOf, text);
