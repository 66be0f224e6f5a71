import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import { SECRET_KEY, startAuth } from '#backend/auth/testing/harness.ts';
import type { Tx } from '#db/connection/tx.ts';
import { freePort } from '#db/embedded/free-port.ts';
import { createGate } from '#server/access/gate.ts';
import type { Accounts } from '#server/accounts/accounts.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { json, startHookServer } from '#test/hosted/auth-hooks/hook-server.ts';
import { createHttpHooks } from '#test/hosted/auth-hooks/http-hooks.ts';
import { hostedAccounts } from './hosted-accounts.ts';

let supabase: Awaited<ReturnType<typeof startAuth>>;
/** What stands before Supabase, or in its place, when it is not well. */
let edge: Awaited<ReturnType<typeof startHookServer>>;
const logged: string[] = [];
beforeAll(async () => {
  edge = await startHookServer();
  const secrets = [`v1,whsec_${Buffer.alloc(32).toString('base64')}`] as const;
  const beforeUserCreated = { uri: `${edge.url}/creation`, secrets };
  supabase = await startAuth(await freshDatabase(), {
    hooks: (site) => createHttpHooks(site, { beforeUserCreated, backoffMs: 1 }),
  });
});
afterAll(() => Promise.all([supabase?.close(), edge?.close()]));
beforeEach(() => {
  supabase.mailer.broken = false;
  edge.answer = (_, response) => json(response, 200, {});
  logged.length = 0;
});

function accountsAt(url = supabase.url, secretKey = SECRET_KEY): Accounts {
  const { db } = supabase;
  const crm = { decide: async () => undefined };
  return hostedAccounts({
    db,
    gate: createGate({ db, adminEmails: [], strangersMayCome: true, crm }),
    supabase: { url, publishableKey: 'none', secretKey, jwtSecret: undefined },
    siteUrl: 'http://site.example',
    log: { error: (fields: unknown) => void logged.push(JSON.stringify(fields)) },
  });
}
/** None of these calls has anything to do in our transaction. */
const tx = {} as Tx;
const invite = (accounts = accountsAt(), email = `${randomUUID()}@people.example`) =>
  accounts.mailInvitation({ email, role: 'user' });
const notMailed = (why: RegExp) => ({
  code: 'MAIL_FAILED',
  message: expect.stringMatching(
    new RegExp(`^The invitation is saved and you can resend it, but its email was not sent. ${why.source}`),
  ),
});

test('an invitation that is not mailed says why: the mail server, the limits, the address', async () => {
  supabase.mailer.broken = new AuthError(400, 'email_address_not_authorized', 'Email address "…" cannot be used');
  await expect(invite()).rejects.toMatchObject(notMailed(/Supabase mails only its project’s team by itself/));
  supabase.mailer.broken = new AuthError(429, 'over_email_send_rate_limit', 'email rate limit exceeded');
  await expect(invite()).rejects.toMatchObject(notMailed(/Supabase has sent as many emails as it may/));
  supabase.mailer.broken = new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached');
  await expect(invite()).rejects.toMatchObject(notMailed(/Supabase is getting too many requests/));
  supabase.mailer.broken = true;
  await expect(invite()).rejects.toMatchObject(notMailed(/Supabase could not do this/));
  await expect(invite(accountsAt(), 'nobody@people')).rejects.toMatchObject(notMailed(/.*Check the spelling/));
  expect(logged.join()).toContain('"code":"email_address_not_authorized","status":400');
  expect(logged.join()).not.toContain('people');
});

test('an invitation that is not mailed because of a hook says whether this site refused, or did not answer', async () => {
  const words = 'Access denied. This email does not have the required access.';
  edge.answer = (_, response) => json(response, 200, { error: { http_code: 403, message: words } });
  await expect(invite()).rejects.toMatchObject(notMailed(/The access rules do not allow this address/));
  edge.answer = (_, response) => void response.destroy();
  await expect(invite()).rejects.toMatchObject(notMailed(/Supabase asked this site who may sign in/));
  edge.answer = (_, response) => json(response, 401, {});
  await expect(invite()).rejects.toMatchObject(notMailed(/Supabase could not do this.*secret of an Auth Hook/));
});

test('someone who is known to Supabase is left to our own mail', async () => {
  const email = 'known@people.example';
  await supabase.admin.createUser({ email, email_confirm: true });
  expect(await invite(accountsAt(), email)).toBe(false);
});

test('a change that is refused says why: the account, the key, the connection', async () => {
  const id = randomUUID();
  const gone = { code: 'NOT_FOUND', message: expect.stringContaining('no longer exists at Supabase') };
  await expect(accountsAt().letIn(tx, id)).rejects.toMatchObject(gone);
  await expect(accountsAt().copyRole(tx, id, 'admin')).rejects.toMatchObject(gone);
  await expect(accountsAt().metadataOf(id)).rejects.toMatchObject(gone);
  await expect(accountsAt().signInToken?.(id)).rejects.toMatchObject(gone);
  await expect(accountsAt().remove(tx, id)).resolves.toBeUndefined();

  const refused = { code: 'UNAVAILABLE', message: expect.stringContaining('set SUPABASE_SECRET_KEY') };
  await expect(accountsAt(supabase.url, 'sb_secret_old').letIn(tx, id)).rejects.toMatchObject(refused);
  edge.answer = (_, response) => json(response, 401, { message: 'Invalid API key' });
  await expect(accountsAt(edge.url).letIn(tx, id)).rejects.toMatchObject(refused);

  const away = { code: 'UNAVAILABLE', message: 'Supabase cannot be reached right now. Try again in a minute.' };
  edge.answer = (_, response) => json(response, 503, {});
  await expect(accountsAt(edge.url).letIn(tx, id)).rejects.toMatchObject(away);
  const nobody = accountsAt(`http://127.0.0.1:${await freePort()}`);
  await expect(nobody.letIn(tx, id)).rejects.toMatchObject(away);
  await expect(invite(nobody)).rejects.toMatchObject(notMailed(/Supabase cannot be reached/));

  edge.answer = (_, response) => json(response, 429, { code: 'over_request_rate_limit', message: '' });
  await expect(accountsAt(edge.url).letIn(tx, id)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});
