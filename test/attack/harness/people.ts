import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Mail } from '#server/mail/mail.ts';
import { buildListOf } from '#test/lists.ts';
import type { Site } from './site.ts';

/** Someone signed in by the code of a real mail. */
export type Account = { email: string; userId: string; sessionId: string; accessToken: string; refreshToken: string };

/** Someone who owns one of everything. `ids` are all that name it. */
export type Owner = Account & {
  listId: string;
  leadId: string;
  ids: Record<string, string>;
  /** Words that no one else may ever read, administrators included. */
  kept: string[];
  /** All words that no ordinary user but the owner may ever read. */
  secrets: string[];
};

/** The person whom every owner has invited. */
const GUEST = 'guest@harbour.example';

/** Link and code of the newest mail to an address. */
export function mailTo(mails: readonly Mail[], email: string): { mail: Mail; link: URL; code: string } {
  const mail = mails.findLast((one) => one.to === email);
  const link = mail?.text.match(/^https?:\S+$/m)?.[0];
  const code = mail?.text.match(/: (\d{6})$/m)?.[1];
  if (!mail || !link || !code) throw new Error(`There is no sign-in mail to ${email}.`);
  return { mail, link: new URL(link), code };
}

export async function signIn(site: Site, email: string): Promise<Account> {
  await sql`delete from app.rate_limits`.execute(site.db);
  const asked = await site.call('POST', '/auth/v1/otp', { body: { email } });
  if (asked.status !== 200) throw new Error(`No link for ${email}: ${asked.text}`);
  const body = { type: 'email', email, token: mailTo(site.mails, email).code };
  const answer = await site.call('POST', '/auth/v1/verify', { body });
  return accountOf(answer.text);
}

export function accountOf(session: string): Account {
  const { access_token: accessToken, refresh_token: refreshToken, user } = JSON.parse(session);
  const { session_id: sessionId } = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString());
  return { email: user.email, userId: user.id, sessionId, accessToken, refreshToken };
}

/** Signs someone in who has a list with leads, a run with a paid call, keys and an invitation sent. */
export async function signInOwner(site: Site, email: string): Promise<Owner> {
  const { db } = site;
  await site.invite(email);
  const account = await signIn(site, email);
  const { userId } = account;
  const word = `Heirloom${randomUUID().slice(0, 8)}`;
  const lead = { business_name: `${word} Bakery`, email: `${word}@shop.example`, phone: '+1 217-555-0142' };
  const listId = await buildListOf(db, userId, [lead], { name: `${word} in Springfield, IL`, has_emails: true });
  const { id: leadId } = await db
    .selectFrom('leads')
    .select('id')
    .where('list_id', '=', listId)
    .executeTakeFirstOrThrow();
  const { id: runId } = await db
    .insertInto('app.runs')
    .values({
      user_id: userId,
      list_id: listId,
      list_name: word,
      kind: 'search',
      state: 'completed',
      input: '{}',
      sandbox: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: callId } = await db
    .insertInto('app.paid_calls')
    .values({
      user_id: userId,
      run_id: runId,
      provider: 'hunter_io',
      operation: 'domain_search',
      subject: `${word}.example`,
      idempotency_key: randomUUID(),
      state: 'answered',
      estimate_micros: 50_000,
      sandbox: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const fingerprint = randomUUID();
  const sealed_key = site.deps.vault.seal(word, 'nowhere');
  await db
    .insertInto('app.provider_keys')
    .values({ user_id: userId, provider: 'hunter_io', sealed_key, last_four: 'zq7x', fingerprint, sandbox: true })
    .execute();
  const { id: invitationId } = await db
    .insertInto('app.invitations')
    .values({ email: GUEST, invited_by: userId, expires_at: new Date(Date.now() + 3_600_000) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const ids = { listId, leadId, runId, callId, invitationId, userId, sessionId: account.sessionId, fingerprint };
  const kept = [word, 'zq7x', account.accessToken, account.refreshToken, listId, leadId, runId, callId, fingerprint];
  return { ...account, listId, leadId, ids, kept, secrets: [...kept, email, GUEST, ...Object.values(ids)] };
}
