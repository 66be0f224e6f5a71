import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetLimits, startAuth } from '#backend/auth/testing/harness.ts';
import { prepareNextKey } from '#backend/auth/tokens/signing-keys.ts';
import { createVault } from '#db/sealed/vault.ts';
import { freshDatabase } from '#test/databases/database.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());
beforeEach(() => forgetLimits(auth.db));

let people = 0;
const newEmail = () => `person${people++}@people.example`;
const NOBODY = '11111111-1111-4111-8111-111111111111';

async function make(attributes: object = {}) {
  const { data, error } = await auth.admin.createUser({ email: newEmail(), ...attributes });
  if (error) throw error;
  return data.user;
}

test('createUser: metadata and confirmation as given; refused twice, without an address, and with a password', async () => {
  const user = await make({
    email: 'Ann@People.example',
    email_confirm: true,
    user_metadata: { name: 'Ann', role: 'admin' },
    app_metadata: { plan: 'team' },
  });
  expect(user).toMatchObject({
    email: 'ann@people.example',
    user_metadata: { name: 'Ann', role: 'admin' },
    app_metadata: { plan: 'team', provider: 'email' },
  });
  expect(user.email_confirmed_at).toBeDefined();
  const code = async (attributes: object) => (await auth.admin.createUser(attributes)).error?.code;
  expect(await code({ email: 'ann@people.example' })).toBe('email_exists');
  expect(await code({ email: 'no address' })).toBe('validation_failed');
  expect(await code({})).toBe('validation_failed');
  expect(await code({ email: newEmail(), password: 'secret' })).toBe('validation_failed');
  expect(await code({ email: newEmail(), role: 'service_role' })).toBe('validation_failed');
});

test('createUser and updateUserById take a phone: confirmed it signs in, a new one only once it is confirmed', async () => {
  const [phone, next] = ['+12175550191', '+12175550192'];
  const asks = async (number: string) => {
    await forgetLimits(auth.db);
    return (await auth.client().auth.signInWithOtp({ phone: number })).error?.code;
  };
  const user = await make({ phone, phone_confirm: true, email_confirm: true });
  expect(user).toMatchObject({ phone: phone.slice(1), phone_confirmed_at: expect.any(String) });
  expect(await asks(phone)).toBeUndefined();
  const changed = await auth.admin.updateUserById(user.id, { phone: next });
  expect(changed.data.user).toMatchObject({ phone: next.slice(1) });
  expect(changed.data.user?.phone_confirmed_at).toBeUndefined();
  const late = await auth.client().auth.verifyOtp({ phone, token: auth.textTo(phone), type: 'sms' });
  expect(late.error?.code).toBe('otp_expired');
  expect(await asks(next)).toBe('otp_disabled');
  await auth.admin.updateUserById(user.id, { phone_confirm: true });
  expect(await asks(next)).toBeUndefined();

  const code = async (attributes: object) => (await auth.admin.createUser(attributes)).error?.code;
  expect(await code({ email: newEmail(), phone: next })).toBe('phone_exists');
  expect(await code({ email: newEmail(), phone: '12' })).toBe('validation_failed');
  const other = await make();
  expect((await auth.admin.updateUserById(other.id, { phone: next })).error?.code).toBe('phone_exists');
});

test('createUser with a phone alone makes someone who gets in only with an address', async () => {
  const [phone, email] = ['+12175550193', newEmail()];
  const { data } = await auth.admin.createUser({ phone, phone_confirm: true });
  expect(data.user).toMatchObject({ phone: phone.slice(1), email: '', app_metadata: { provider: 'phone' } });
  expect((await auth.client().auth.signInWithOtp({ phone })).error?.code).toBe('otp_disabled');
  await auth.admin.updateUserById(data.user?.id ?? '', { email, email_confirm: true });
  await forgetLimits(auth.db);
  const client = auth.client();
  await client.auth.signInWithOtp({ phone });
  const signedIn = await client.auth.verifyOtp({ phone, token: auth.textTo(phone), type: 'sms' });
  expect(signedIn.data.user).toMatchObject({ id: data.user?.id, email });
});

test('getUserById: the user; 404 for no one', async () => {
  const user = await make();
  expect((await auth.admin.getUserById(user.id)).data.user).toMatchObject({ id: user.id, email: user.email });
  expect((await auth.admin.getUserById(NOBODY)).error).toMatchObject({ status: 404, code: 'user_not_found' });
});

test('listUsers: pages, the newest first, with the total; a page that is no number is refused', async () => {
  const made = [await make(), await make(), await make()].map(({ id }) => id).reverse();
  const first = await auth.admin.listUsers({ page: 1, perPage: 2 });
  const second = await auth.admin.listUsers({ page: 2, perPage: 2 });
  expect([...first.data.users, ...second.data.users].slice(0, 3).map(({ id }) => id)).toEqual(made);
  const total = Number((await auth.db.selectFrom('auth.users').select('id').execute()).length);
  expect(first.data).toMatchObject({ nextPage: 2, lastPage: Math.ceil(total / 2), total, aud: 'authenticated' });
  const beyond = await auth.admin.listUsers({ page: 99, perPage: 50 });
  expect(beyond.data).toMatchObject({ users: [], nextPage: null });
  expect((await auth.admin.listUsers({ page: -1 })).error?.code).toBe('validation_failed');
});

test('updateUserById: metadata by key, null deletes one; the address everywhere; a taken one is refused', async () => {
  const user = await make({ app_metadata: { plan: 'team', seats: 2 }, user_metadata: { name: 'Ann' } });
  const email = newEmail();
  const { data } = await auth.admin.updateUserById(user.id, {
    email,
    email_confirm: true,
    app_metadata: { seats: null, role: 'admin' },
    user_metadata: { nick: 'A' },
  });
  expect(data.user).toMatchObject({
    email,
    app_metadata: { plan: 'team', role: 'admin' },
    user_metadata: { name: 'Ann', nick: 'A' },
  });
  expect(data.user?.app_metadata).not.toHaveProperty('seats');
  const { session } = await auth.signIn(email);
  expect(session.user.id).toBe(user.id);
  const other = await make();
  expect((await auth.admin.updateUserById(other.id, { email })).error?.code).toBe('email_exists');
  expect((await auth.admin.updateUserById(NOBODY, { email })).error?.code).toBe('user_not_found');
  const moved = newEmail();
  await auth.admin.updateUserById(user.id, { email: moved });
  const profile = await auth.db.selectFrom('app.profiles').select('email').where('user_id', '=', user.id).execute();
  expect(profile).toEqual([{ email: moved }]);
});

test('ban_duration: who is banned is out at once, and comes back when it is lifted', async () => {
  const { client, session } = await auth.signIn(newEmail());
  const { data } = await auth.admin.updateUserById(session.user.id, { ban_duration: '1h30m' });
  const until = new Date(data.user?.banned_until ?? 0).getTime() - Date.now();
  expect(until).toBeGreaterThan(89 * 60_000);
  expect(until).toBeLessThan(91 * 60_000);
  expect((await client.auth.getUser()).error?.code).toBe('user_banned');
  expect((await client.auth.refreshSession()).error?.code).toBe('user_banned');
  expect((await auth.client().auth.signInWithOtp({ email: session.user.email ?? '' })).error?.code).toBe('user_banned');
  const lifted = await auth.admin.updateUserById(session.user.id, { ban_duration: 'none' });
  expect(lifted.data.user?.banned_until).toBeUndefined();
  await forgetLimits(auth.db);
  await auth.signIn(session.user.email ?? '');
});

test.each(['1d', 'forever', '-1h', '', '1h ', '9999999999h'])('ban_duration %o bans no one', async (ban_duration) => {
  const user = await make();
  const { data, error } = await auth.admin.updateUserById(user.id, { ban_duration });
  // An empty one is none, as in GoTrue.
  expect(error?.code).toBe(ban_duration ? 'validation_failed' : undefined);
  expect(data.user?.banned_until).toBeUndefined();
});

test('deleteUser: with sessions and all; no one and a soft deletion are refused', async () => {
  const { client, session } = await auth.signIn(newEmail());
  const { id } = session.user;
  expect((await auth.admin.deleteUser(id, true)).error?.code).toBe('validation_failed');
  expect((await auth.admin.deleteUser(id)).data.user?.id).toBe(id);
  expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect((await auth.admin.deleteUser(id)).error?.code).toBe('user_not_found');
});

test('inviteUserByEmail: mails a link that signs in; strangers to the gate and confirmed users are refused', async () => {
  const email = newEmail();
  const { data } = await auth.admin.inviteUserByEmail(email, { data: { role: 'admin' } });
  expect(data.user).toMatchObject({ email, user_metadata: { role: 'admin' } });
  expect(data.user?.invited_at).toBeDefined();
  const { mail, token } = auth.mailTo(email);
  expect(mail.subject).toBe('You are invited to Fairlead');
  // Again, while it was not accepted: the newer link is the one that works.
  expect((await auth.admin.inviteUserByEmail(email)).error).toBeNull();
  const client = auth.client();
  expect((await client.auth.verifyOtp({ token_hash: token, type: 'invite' })).error?.code).toBe('otp_expired');
  const accepted = await client.auth.verifyOtp({ token_hash: auth.mailTo(email).token, type: 'invite' });
  expect(accepted.data.user?.email).toBe(email);
  expect((await auth.admin.inviteUserByEmail(email)).error?.code).toBe('email_exists');

  const stranger = newEmail();
  auth.gate.denied.set(stranger, { allow: false, reason: 'NO_CONTACT', message: 'Access denied.' });
  const refused = await auth.admin.inviteUserByEmail(stranger);
  expect(refused.error).toMatchObject({ status: 403, message: 'Access denied.' });
  expect(auth.mails.some(({ to }) => to === stranger)).toBe(false);
});

test.each(['signup', 'invite', 'magiclink', 'recovery'] as const)(
  'generateLink %s: link and code sign in',
  async (type) => {
    const email = newEmail();
    if (type === 'recovery') {
      expect((await auth.admin.generateLink({ type, email })).error?.code).toBe('user_not_found');
      await make({ email });
    }
    const options = { data: { name: 'Ann' }, redirectTo: 'http://site.example/lists' };
    const wish = type === 'signup' ? { type, email, password: 'unused', options } : { type, email, options };
    const { data, error } = await auth.admin.generateLink(wish);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    expect(data.properties).toMatchObject({
      redirect_to: 'http://site.example/lists',
      verification_type: type === 'magiclink' ? 'signup' : type,
    });
    expect(auth.mails.some(({ to }) => to === email)).toBe(false);
    const opened = await fetch(data.properties?.action_link.replace('http://site.example', auth.url) ?? '', {
      redirect: 'manual',
    });
    expect(opened.headers.get('Location')).toContain('#access_token=');
    const again = await auth.admin.generateLink({ type: 'magiclink', email });
    const client = auth.client();
    const { hashed_token: token_hash = '', email_otp = '' } = again.data.properties ?? {};
    expect(email_otp).toMatch(/^\d{6}$/);
    expect((await client.auth.verifyOtp({ token_hash, type: 'email' })).data.user?.email).toBe(email);
    if (type === 'signup' || type === 'invite')
      expect((await auth.admin.generateLink(wish as never)).error?.code).toBe('email_exists');
  },
);

test('generateLink email_change_current and email_change_new: both are needed', async () => {
  const [email, next] = [newEmail(), newEmail()];
  const user = await make({ email, email_confirm: true });
  const sides = ['email_change_current', 'email_change_new'] as const;
  const links = [];
  for (const type of sides) links.push((await auth.admin.generateLink({ type, email, newEmail: next })).data);
  expect(links[0]?.user?.new_email).toBe(next);
  for (const { properties } of links) {
    const link = properties?.action_link.replace('http://site.example', auth.url) ?? '';
    await fetch(link, { redirect: 'manual' });
  }
  expect((await auth.admin.getUserById(user.id)).data.user?.email).toBe(next);
  const code = async (newEmail: string) =>
    (await auth.admin.generateLink({ type: 'email_change_new', email: next, newEmail })).error?.code;
  expect(await code(next)).toBe('email_exists');
  expect(await code('')).toBe('validation_failed');
});

test('signOut: ends the sessions of whose token it is', async () => {
  const { client, session } = await auth.signIn(newEmail());
  expect((await auth.admin.signOut(session.access_token, 'global')).error).toBeNull();
  expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect((await auth.admin.signOut('no.token.atall')).error?.status).toBe(403);
});

test('what is not offered says so: OAuth clients, providers', async () => {
  const { oauth, customProviders } = auth.admin;
  const provider = { identifier: 'custom:x', name: 'X', client_id: 'x', client_secret: 'x' };
  const found = await Promise.all([
    oauth.listClients(),
    oauth.createClient({ client_name: 'x', redirect_uris: [] }),
    oauth.getClient(NOBODY),
    oauth.updateClient(NOBODY, { client_name: 'y' }),
    oauth.deleteClient(NOBODY),
    oauth.regenerateClientSecret(NOBODY),
    customProviders.listProviders(),
    customProviders.createProvider({ ...provider, provider_type: 'oauth2' }),
    customProviders.getProvider('custom:x'),
    customProviders.updateProvider('custom:x', { name: 'Y' }),
    customProviders.deleteProvider('custom:x'),
  ]);
  expect(found.map(({ error }) => [error?.status, error?.code])).toEqual(found.map(() => [404, 'feature_disabled']));
});

test('no one has a passkey', async () => {
  const { id: userId } = await make();
  const { passkey } = auth.admin;
  expect((await passkey.listPasskeys({ userId })).data).toEqual([]);
  expect((await passkey.listPasskeys({ userId: NOBODY })).error?.code).toBe('user_not_found');
  expect((await passkey.deletePasskey({ userId, passkeyId: NOBODY })).error?.status).toBe(404);
});

test('everything is written down', () => {
  const acts = auth.events.flatMap((event) => (event.type === 'administered' ? [event.act] : []));
  expect(new Set(acts)).toEqual(new Set(['created', 'changed', 'deleted', 'invited', 'link made']));
});

test('without the secret key no one gets in, no matter who they are', async () => {
  const { client, session } = await auth.signIn(newEmail());
  const call = (authorization?: string) =>
    fetch(`${auth.api}/admin/users`, { headers: { apikey: 'x', ...(authorization ? { authorization } : {}) } });
  expect((await call()).status).toBe(401);
  expect((await call(`Bearer ${session.access_token}`)).status).toBe(403);
  expect((await call('Bearer sb_secret_test')).status).toBe(403);
  expect((await client.auth.admin.listUsers()).error?.code).toBe('not_admin');
  expect((await client.auth.admin.inviteUserByEmail(newEmail())).error?.code).toBe('not_admin');
});

test('getClaims refuses a token with the signature of another', async () => {
  const [{ client, session: mine }, { session: theirs }] = [
    await auth.signIn(newEmail()),
    await auth.signIn(newEmail()),
  ];
  const [head, claims] = theirs.access_token.split('.');
  const { data, error } = await client.auth.getClaims(`${head}.${claims}.${mine.access_token.split('.')[2]}`);
  expect(data).toBeNull();
  expect(error).toMatchObject({ message: 'Invalid JWT signature', code: 'invalid_jwt' });
});

test('getClaims goes on through a rotation of the signing key, for a client that keeps the keys of before', async () => {
  const { client, session } = await auth.signIn(newEmail());
  const before = await client.auth.getClaims();
  expect(before.data?.claims.sub).toBe(session.user.id);
  await prepareNextKey(auth.db, createVault([Buffer.alloc(32, 7).toString('base64')]));
  await auth.db
    .updateTable('auth.signing_keys')
    .set({ created_at: new Date(Date.now() - 3_600_000) })
    .where('status', '=', 'standby')
    .execute();
  const restarted = await startAuth(auth.databaseUrl);
  try {
    const { session: next } = await restarted.signIn(newEmail());
    const after = await client.auth.getClaims(next.access_token);
    expect(after.data?.claims.sub).toBe(next.user.id);
    expect(after.data?.header.kid).not.toBe(before.data?.header.kid);
    // A client that was not there before believes what the key before signed.
    expect((await auth.client().auth.getClaims(session.access_token)).data?.claims.sub).toBe(session.user.id);
  } finally {
    await restarted.close();
  }
});
