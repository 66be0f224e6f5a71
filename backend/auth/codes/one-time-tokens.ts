import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { AUTH_LIFETIMES } from '#backend/auth/kit/limits.ts';
import { hashOfCode, hashOfToken } from '#backend/auth/kit/secrets.ts';
import type { PkceChallenge } from '#backend/auth/links/pkce.ts';
import { lockUser, type UserRow } from '#backend/auth/people/users.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { DB } from '#db/types.gen.ts';

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
 * Link and code of a mail, derived from its id by a key that the database does not hold. So the same ones can be sent
 * again, and only their hashes are stored. `codeNumber`: a burnt code is followed by the next.
 */
export function secretsOf(vault: Vault, mailId: string, codeNumber: number): { linkToken: string; code: string } {
  const linkToken = Buffer.from(vault.fingerprint(`link of mail ${mailId}`), 'hex').toString('base64url');
  const number = BigInt(`0x${vault.fingerprint(`code ${codeNumber} of mail ${mailId}`)}`) % 1_000_000n;
  return { linkToken, code: String(number).padStart(6, '0') };
}

/** What anyone may have sent to anyone: one network does not replace what another has asked for. */
const STRANGERS_ASK: readonly MailType[] = ['magiclink', 'recovery', 'sms'];

/**
 * Makes link and code of one mail, in place of older ones of the same type from the same network.
 * - `email`: where it goes; of a text message, the number
 * - `askedFrom`: a keyed hash of the network; none for the admin API
 * - `metadata`: what the person who asks says of themselves
 * - `sessionId`: the one session that can use the code, whose own older ones alone it replaces
 */
export async function issueOneTimeToken(
  tx: Tx,
  vault: Vault,
  input: {
    userId: string;
    email: string;
    type: MailType;
    redirectTo: string;
    challenge: PkceChallenge | undefined;
    askedFrom?: string;
    metadata?: object;
    sessionId?: string;
  },
): Promise<{ mailId: string; linkToken: string; code: string }> {
  await lockUser(tx, input.userId);
  const replaced = await tx
    .deleteFrom('auth.one_time_tokens')
    .where('user_id', '=', input.userId)
    .where('token_type', '=', input.type)
    .$if(STRANGERS_ASK.includes(input.type), (query) =>
      query.where('asked_from', 'is not distinct from', input.askedFrom ?? null),
    )
    .where('session_id', 'is not distinct from', input.sessionId ?? null)
    .returning('flow_state_id')
    .execute();
  await deleteFlows(
    tx,
    replaced.map((row) => row.flow_state_id),
  );

  const said = input.metadata ? { user_metadata: JSON.stringify(input.metadata) } : {};
  const flowId = input.challenge ? await beginFlow(tx, { ...input, challenge: input.challenge }) : null;
  const mailId = randomUUID();
  const { linkToken, code } = secretsOf(vault, mailId, 0);
  await tx
    .insertInto('auth.one_time_tokens')
    .values({
      id: mailId,
      user_id: input.userId,
      token_type: input.type,
      email: input.email,
      link_hash: hashOfToken(linkToken),
      code_hash: hashOfCode(vault, input.userId, code),
      redirect_to: input.redirectTo,
      flow_state_id: flowId,
      asked_from: input.askedFrom ?? null,
      session_id: input.sessionId ?? null,
      expires_at: after(AUTH_LIFETIMES.mailMs),
      code_expires_at: after(AUTH_LIFETIMES.codeMs),
      ...said,
    })
    .execute();
  return { mailId, linkToken, code };
}

/** Begins a PKCE flow, and returns its id. `metadata`: what the caller says about themselves. */
export async function beginFlow(
  tx: Tx,
  {
    userId,
    type,
    challenge,
    metadata,
  }: { userId: string; type: MailType; challenge: PkceChallenge; metadata?: object },
): Promise<string> {
  const { id } = await tx
    .insertInto('auth.flow_state')
    .values({
      user_id: userId,
      code_challenge: challenge.challenge,
      code_challenge_method: challenge.method,
      authentication_method: type,
      ...(metadata ? { user_metadata: JSON.stringify(metadata) } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** So long from now, as SQL. */
export const after = (ms: number) => sql<Date>`now() + ${ms} * interval '1 millisecond'`;

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
