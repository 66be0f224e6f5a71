import { sql } from 'kysely';
import {
  after,
  beginFlow,
  issueOneTimeToken,
  type MailType,
  type OneTimeTokenRow,
  secretsOf,
} from '#backend/auth/codes/one-time-tokens.ts';
import { AUTH_LIFETIMES } from '#backend/auth/kit/limits.ts';
import { hashOfCode, hashOfToken, sameBytes } from '#backend/auth/kit/secrets.ts';
import type { PkceChallenge } from '#backend/auth/links/pkce.ts';
import type { MailEnds } from '#backend/auth/messages/mail-template.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { alsoFor } from './challenges.ts';
import type { Place } from './networks.ts';

export type Wish = {
  userId: string;
  /** Where it goes; of a text message, the number. */
  email: string;
  type: MailType;
  redirectTo: string;
  challenge: PkceChallenge | undefined;
  metadata: object;
};

/** What is to be sent, of the mail of that id. */
export type ToSend = { mailId: string; linkToken: string; code: string; ends?: MailEnds };

/** Live mails that strangers have asked for to one person. The next stranger shares them. */
const STRANGERS_MAILS = 3;
/** A mail whose link ends sooner is not sent again, in ms: a new one takes its place. */
const LEAST_LINK_MS = 10 * 60_000;
/** Who asks again gets another code than one that ends sooner, in ms. */
const LEAST_CODE_MS = 5 * 60_000;
/** Mails that mean the same to who asks: a link to sign in. */
const ALIKE: readonly (readonly MailType[])[] = [['magiclink', 'recovery'], ['sms']];

/**
 * The mail to send to who asks from `place`. The person must be locked.
 * - Their network's own as long as it lives, with the same link; else a new one.
 * - Where strangers have asked often, one that is on its way to the same person already. Its link then works in their browser as well.
 * - `full`: no more mails go out to strangers for now; then `shared` tells when the last one went.
 */
export async function mailFor(
  tx: Tx,
  vault: Vault,
  wish: Wish,
  { network, familiar }: Place,
  full: boolean,
): Promise<ToSend | { shared: Date }> {
  const live = await liveMails(tx, wish);
  const own = live.find((mail) => isOwn(mail, wish, network));
  const again = own && (await repeatMail(tx, vault, own, LEAST_CODE_MS));
  if (own && again) {
    await alsoFor(tx, own, wish, network);
    await tx
      .updateTable('auth.one_time_tokens')
      .set({ user_metadata: JSON.stringify(wish.metadata) })
      .where('id', '=', own.id)
      .execute();
    if (familiar || !full || !own.sent_at) return again;
    return { shared: (await shareAll(tx, live, wish, network)) ?? own.sent_at };
  }
  const others = familiar ? [] : await ofStrangers(tx, wish.userId, live);
  if (full || others.filter(lasts).length >= STRANGERS_MAILS) {
    const shared = await shareAll(tx, others, wish, network);
    const newest = others.find((mail) => mail.sent_at);
    if (shared && newest) return (full ? undefined : await repeatMail(tx, vault, newest)) ?? { shared };
  }
  return issueOneTimeToken(tx, vault, { ...wish, askedFrom: network });
}

/** Marks that a mail is on its way. */
export async function markSent(db: Db, mailId: string): Promise<void> {
  await db.updateTable('auth.one_time_tokens').set({ sent_at: sql<Date>`now()` }).where('id', '=', mailId).execute();
}

/**
 * Lets the browser that asks finish with every link that is on its way to the person. Returns when the newest went; undefined where none did.
 * The person must be locked.
 */
export async function joinMails(tx: Tx, wish: Wish, { network, familiar }: Place): Promise<Date | undefined> {
  const live = await liveMails(tx, wish);
  const own = live.filter((mail) => isOwn(mail, wish, network));
  return shareAll(tx, familiar ? own : [...own, ...(await ofStrangers(tx, wish.userId, live))], wish, network);
}

const isOwn = (mail: OneTimeTokenRow, wish: Wish, network: string): boolean =>
  mail.asked_from === network &&
  mail.token_type === wish.type &&
  (mail.flow_state_id !== null) === (wish.challenge !== undefined);

/** Which link the reader will open is not known beforehand. Returns when the newest mail went. */
async function shareAll(tx: Tx, mails: OneTimeTokenRow[], wish: Wish, network: string): Promise<Date | undefined> {
  const sent = mails.filter((mail) => mail.sent_at !== null);
  for (const mail of sent) await share(tx, mail, wish, network);
  return sent.map((mail) => mail.sent_at).reduce<Date | undefined>((a, b) => (b && (!a || b > a) ? b : a), undefined);
}

/** The newest first. Only those whose link was not opened yet. A wish without a challenge cannot finish with links that bind to a browser. */
function liveMails(tx: Tx, { userId, email, type, challenge }: Wish): Promise<OneTimeTokenRow[]> {
  return tx
    .selectFrom('auth.one_time_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .where('token_type', 'in', ALIKE.find((types) => types.includes(type)) ?? [type])
    .where('asked_from', 'is not', null)
    .where('link_hash', 'is not', null)
    .$if(!challenge, (query) => query.where('flow_state_id', 'is', null))
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .execute();
}

async function ofStrangers(tx: Tx, userId: string, mails: OneTimeTokenRow[]): Promise<OneTimeTokenRow[]> {
  const familiar = await tx.selectFrom('auth.known_networks').select('network').where('user_id', '=', userId).execute();
  const known = new Set(familiar.map(({ network }) => network));
  return mails.filter((mail) => !known.has(mail.asked_from ?? ''));
}

/**
 * Lets the browser of a wish finish with the link of a mail. A link that bound to no browser binds to this one from now on. Whom of those that
 * share a mail its metadata is about cannot be told.
 */
async function share(tx: Tx, mail: OneTimeTokenRow, wish: Wish, network: string): Promise<void> {
  const { challenge } = wish;
  if (challenge && !mail.flow_state_id) {
    const flowId = await beginFlow(tx, { ...wish, type: mail.token_type as MailType, challenge });
    await tx.updateTable('auth.one_time_tokens').set({ flow_state_id: flowId }).where('id', '=', mail.id).execute();
  } else await alsoFor(tx, mail, wish, network);
  if (mail.asked_from !== network)
    await tx.updateTable('auth.one_time_tokens').set({ user_metadata: null }).where('id', '=', mail.id).execute();
}

const lasts = ({ expires_at }: OneTimeTokenRow): boolean => expires_at.getTime() - Date.now() >= LEAST_LINK_MS;

/**
 * The same mail once more. Undefined where its link ends soon, or cannot be known.
 * - The link ends when it would have ended anyway.
 * - The code stays while it lasts for `leastCodeMs` more. After that, the next one takes its place.
 */
export async function repeatMail(
  tx: Tx,
  vault: Vault,
  mail: OneTimeTokenRow,
  leastCodeMs = 0,
): Promise<ToSend | undefined> {
  if (!lasts(mail)) return undefined;
  const stays = mail.code_hash !== null && mail.code_expires_at.getTime() - Date.now() > leastCodeMs;
  const number = stays ? mail.code_number : mail.code_number + 1;
  const { linkToken, code } = secretsOf(vault, mail.id, number);
  // The encryption key was exchanged since.
  if (!mail.link_hash || !sameBytes(mail.link_hash, hashOfToken(linkToken))) return undefined;
  const { code_expires_at } = stays
    ? mail
    : await tx
        .updateTable('auth.one_time_tokens')
        .set({
          code_hash: hashOfCode(vault, mail.user_id, code),
          code_number: number,
          failed_guesses: 0,
          code_expires_at: after(AUTH_LIFETIMES.codeMs),
        })
        .where('id', '=', mail.id)
        .returning('code_expires_at')
        .executeTakeFirstOrThrow();
  return { mailId: mail.id, linkToken, code, ends: { link: mail.expires_at, code: code_expires_at } };
}
