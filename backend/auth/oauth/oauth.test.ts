import type { SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forgetLimits, SITE, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { type Choice, choose, comeBack, goAndChoose, startIssuer } from '#test/servers/oidc-issuer.ts';

let issuer: Awaited<ReturnType<typeof startIssuer>>;
let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  issuer = await startIssuer();
  const identityProviders = [issuer.as('google'), issuer.as('custom:harbour')];
  auth = await startAuth(await freshDatabase(), { identityProviders });
});
afterAll(() => Promise.all([auth.close(), issuer.close()]));
beforeEach(async () => {
  auth.events.length = 0;
  auth.gate.denied.clear();
  issuer.lie.tamper = undefined;
  await forgetLimits(auth.db);
});

const PAGE = `${SITE}/welcome?from=mail`;

async function begin(
  client: SupabaseClient,
  options: { redirectTo?: string; queryParams?: Record<string, string> } = {},
) {
  const { data, error } = await client.auth.signInWithOAuth({
    provider: 'google',
    options: { redirectTo: PAGE, skipBrowserRedirect: true, ...options },
  });
  if (error) throw error;
  return data.url;
}

async function arrive(client: SupabaseClient, choice: Choice) {
  return comeBack(await goAndChoose(await begin(client), choice, auth.api));
}

async function signIn(choice: Choice, client = auth.client()) {
  const landed = await arrive(client, choice);
  const { data, error } = await client.auth.exchangeCodeForSession(landed.searchParams.get('code') ?? '');
  if (error) throw error;
  return { client, session: data.session };
}

const identitiesOf = async (client: SupabaseClient) => {
  const { data, error } = await client.auth.getUserIdentities();
  if (error) throw error;
  return data.identities;
};

describe('signInWithOAuth', () => {
  test('PKCE: out with state, nonce and a challenge of our own, back with a code that is exchanged for a session', async () => {
    const client = auth.client();
    const departure = await fetch(await begin(client, { queryParams: { prompt: 'consent', nonce: 'mine' } }), {
      redirect: 'manual',
    });
    expect(departure.status).toBe(302);
    const page = new URL(departure.headers.get('Location') ?? '');
    expect(Object.fromEntries(page.searchParams)).toEqual({
      client_id: 'fairlead',
      response_type: 'code',
      scope: 'openid email profile',
      prompt: 'consent',
      redirect_uri: `${SITE}/auth/v1/callback`,
      code_challenge_method: 'S256',
      state: expect.any(String),
      nonce: expect.not.stringMatching('mine'),
      code_challenge: expect.any(String),
    });
    const landed = await comeBack(await choose(page.href, { person: 'ada.marlowe@harbour.example' }, auth.api));
    expect(landed.href).toMatch(`${PAGE}&code=`);
    const { data, error } = await client.auth.exchangeCodeForSession(landed.searchParams.get('code') ?? '');
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: 'ada.marlowe@harbour.example',
      app_metadata: { provider: 'google', providers: ['google'], role: 'user' },
      user_metadata: { full_name: 'Ada Marlowe', email_verified: true },
      identities: [
        {
          provider: 'google',
          id: expect.stringMatching(/^\d{21}$/),
          email: 'ada.marlowe@harbour.example',
          identity_data: { iss: issuer.url, name: 'Ada Marlowe', email_verified: true },
        },
      ],
    });
    expect(decodeJwt(data.session?.access_token ?? '').amr).toMatchObject([{ method: 'oauth' }]);
    expect(auth.events).toMatchObject([{ type: 'signed_in', way: 'oauth', userId: data.user?.id }]);
    const page1 = await auth.admin.getUserById(data.user?.id ?? '');
    expect(page1.data.user?.identities).toHaveLength(1);
  });

  test('implicit: back with the session in the fragment', async () => {
    const client = auth.client({ flowType: 'implicit' });
    const landed = await arrive(client, { email: 'implicit@people.example' });
    const found = new URLSearchParams(landed.hash.slice(1));
    expect([...found.keys()].sort()).toEqual(
      ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'token_type'].sort(),
    );
    const { data } = await client.auth.setSession({
      access_token: found.get('access_token') ?? '',
      refresh_token: found.get('refresh_token') ?? '',
    });
    expect(data.user?.email).toBe('implicit@people.example');
  });

  test('who comes again is the same person, also after their address there has changed', async () => {
    const first = await signIn({ email: 'again@people.example' });
    issuer.lie.tamper = (claims, sign) =>
      sign({ ...claims, email: 'ada.marlowe@harbour.example', email_verified: false, name: 'Renamed' });
    const second = await signIn({ email: 'again@people.example' });
    expect(second.session?.user.id).toBe(first.session?.user.id);
    expect(second.session?.user.email).toBe('again@people.example');
    expect(await identitiesOf(second.client)).toMatchObject([{ identity_data: { name: 'Renamed' } }]);
  });

  test('a verified address links to the account that has it; what strangers said of an unconfirmed one goes', async () => {
    const known = await auth.signIn('known@people.example');
    const { client, session } = await signIn({ email: 'Known@People.example' });
    expect(session?.user.id).toBe(known.session.user.id);
    expect(session?.user.app_metadata).toMatchObject({ provider: 'email', providers: ['email', 'google'] });
    expect((await identitiesOf(client)).map(({ provider }) => provider)).toEqual(['email', 'google']);

    await auth
      .client()
      .auth.signInWithOtp({ email: 'fresh@people.example', options: { data: { full_name: 'Mallory' } } });
    const fresh = await signIn({ email: 'fresh@people.example' });
    expect(fresh.session?.user.user_metadata).toMatchObject({ full_name: 'fresh' });
  });

  test('an address that is nowhere but at the userinfo endpoint', async () => {
    issuer.lie.tamper = ({ email: _email, email_verified: _verified, ...claims }, sign) => sign(claims);
    const { session } = await signIn({ email: 'userinfo@people.example' });
    expect(session?.user.email).toBe('userinfo@people.example');
  });

  test('the gate is asked on the way back, and again at the exchange', async () => {
    const email = 'stranger@people.example';
    const client = auth.client();
    const landed = await arrive(client, { email });
    auth.gate.denied.set(email, { allow: false, reason: 'NO_CONTACT', message: 'No access.' });
    const late = await client.auth.exchangeCodeForSession(landed.searchParams.get('code') ?? '');
    expect(late.error).toMatchObject({ status: 403, code: 'access_denied' });
    const refused = await arrive(auth.client(), { email });
    expect(refused.origin + refused.pathname).toBe(`${SITE}/welcome`);
    for (const found of [refused.searchParams, new URLSearchParams(refused.hash.slice(1))])
      expect(Object.fromEntries(found)).toMatchObject({
        error: 'access_denied',
        error_code: 'access_denied',
        error_description: 'No access.',
      });
    expect(auth.events.map(({ type }) => type)).toEqual(['refused', 'refused']);
    expect(await auth.db.selectFrom('auth.users').select('id').where('email', '=', email).execute()).toEqual([]);
  });

  test('the banned stay out', async () => {
    const { session } = await signIn({ email: 'banned@people.example' });
    await auth.admin.updateUserById(session?.user.id ?? '', { ban_duration: '1h' });
    await expect(signIn({ email: 'banned@people.example' })).rejects.toMatchObject({ code: 'user_banned' });
  });

  test('someone who cancels there is told so, without a code of ours', async () => {
    const landed = await arrive(auth.client(), 'cancel');
    expect(landed.searchParams.get('error')).toBe('access_denied');
    expect(landed.searchParams.has('error_code')).toBe(false);
  });

  test('a provider that cannot be reached: back to the page, and again when it is there', async () => {
    const url = await begin(auth.client());
    const back = await goAndChoose(url, { email: 'down@people.example' }, auth.api);
    issuer.lie.down = true;
    const landed = await comeBack(back);
    issuer.lie.down = false;
    expect(Object.fromEntries(landed.searchParams)).toMatchObject({ error: 'server_error', from: 'mail' });
    expect(landed.searchParams.get('error_description')).toMatch(/cannot be reached/);
    expect(auth.logged.at(-1)).toMatch(/"provider":"google"/);
    expect(auth.logged.join()).not.toMatch(/secret-of-the-client|down@people/);
  });

  test('providers that are not there, and half a challenge, are refused in GoTrue’s words', async () => {
    const ask = (query: string) => fetch(`${auth.api}/authorize?${query}`, { redirect: 'manual' });
    for (const [name, why] of [
      ['harbour', 'Provider harbour could not be found'],
      ['', 'Provider  could not be found'],
      ['github', 'provider is not enabled'],
    ]) {
      const refused = await ask(`provider=${name}`);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({
        error_code: 'validation_failed',
        msg: `Unsupported provider: ${why}`,
      });
    }
    const none = await startAuth(await freshDatabase());
    const disabled = await fetch(`${none.api}/authorize?provider=google`, { redirect: 'manual' });
    expect(await disabled.json()).toMatchObject({ code: 400, msg: 'Unsupported provider: provider is not enabled' });
    expect(await (await fetch(`${none.api}/settings`)).json()).toMatchObject({ external: { google: false } });
    await none.close();
    expect((await ask('provider=google&code_challenge=short&code_challenge_method=s256')).status).toBe(400);
    expect(await (await fetch(`${auth.api}/settings`)).json()).toMatchObject({
      external: { email: true, google: true, 'custom:harbour': true },
    });
  });

  test('browsers that load ahead begin and spend nothing', async () => {
    const url = await begin(auth.client());
    expect((await fetch(url, { method: 'HEAD', redirect: 'manual' })).status).toBe(200);
    const back = await goAndChoose(url, { email: 'ahead@people.example' }, auth.api);
    expect((await fetch(back, { headers: { 'Sec-Purpose': 'prefetch' }, redirect: 'manual' })).status).toBe(503);
    expect((await comeBack(back)).searchParams.has('code')).toBe(true);
  });
});

describe('linkIdentity, getUserIdentities, unlinkIdentity', () => {
  const link = async (client: SupabaseClient, choice: Choice) => {
    const { data, error } = await client.auth.linkIdentity({ provider: 'google', options: { redirectTo: PAGE } });
    if (error) throw error;
    return comeBack(await choose(data.url ?? '', choice, auth.api));
  };
  const finish = (client: SupabaseClient, landed: URL) =>
    client.auth.exchangeCodeForSession(landed.searchParams.get('code') ?? '');

  test('links an identity of another address in the same session, and takes it away again', async () => {
    const { client, session } = await auth.signIn('linker@people.example');
    const landed = await link(client, { email: 'private@elsewhere.example' });
    expect(await identitiesOf(client)).toHaveLength(1);
    const { data } = await finish(client, landed);
    expect(data.user?.email).toBe('linker@people.example');
    expect(data.user?.app_metadata.providers).toEqual(['email', 'google']);
    const [claims, before] = [data.session?.access_token, session.access_token].map((token) => decodeJwt(token ?? ''));
    expect(claims?.session_id).toBe(before?.session_id);
    expect((await client.auth.refreshSession()).error).toBeNull();
    expect(auth.events).toMatchObject([{}, { type: 'identity_linked', provider: 'google' }]);

    const byGoogle = await signIn({ email: 'private@elsewhere.example' });
    expect(byGoogle.session?.user.email).toBe('linker@people.example');

    const google = (await identitiesOf(client)).find(({ provider }) => provider === 'google');
    if (!google) throw new Error('not linked');
    expect((await client.auth.unlinkIdentity(google)).error).toBeNull();
    expect(await identitiesOf(client)).toMatchObject([{ provider: 'email' }]);
    expect((await client.auth.unlinkIdentity(google)).error?.code).toBe('single_identity_not_deletable');
    expect(auth.events.at(-1)).toMatchObject({ type: 'identity_unlinked', provider: 'google' });
    const told = auth.mails.slice(-2).map(({ to, subject }) => `${to}: ${subject}`);
    expect(told).toEqual([
      'linker@people.example: Google was linked to your Fairlead account',
      'linker@people.example: Google was unlinked from your Fairlead account',
    ]);
  });

  test('the last identity stays, and the one that stands for the address of the account', async () => {
    const { client } = await signIn({ email: 'only@people.example' });
    const [only] = await identitiesOf(client);
    if (!only) throw new Error('none');
    expect((await client.auth.unlinkIdentity(only)).error).toMatchObject({
      status: 422,
      code: 'single_identity_not_deletable',
    });
    const other = await auth.signIn('mailbox@people.example');
    await finish(other.client, await link(other.client, { email: 'unlike@elsewhere.example' }));
    const [mailbox] = await identitiesOf(other.client);
    if (!mailbox) throw new Error('none');
    expect((await other.client.auth.unlinkIdentity(mailbox)).error?.code).toBe('email_conflict_identity_not_deletable');
    const strange = await other.client.auth.unlinkIdentity({ ...mailbox, identity_id: only.identity_id });
    expect(strange.error?.code).toBe('identity_not_found');
    const wrong = await other.client.auth.unlinkIdentity({ ...mailbox, identity_id: 'none' });
    expect(wrong.error).toMatchObject({ status: 404, code: 'validation_failed' });
  });

  test('what is linked already, here or elsewhere', async () => {
    const ann = await signIn({ email: 'ann@people.example' });
    const again = await link(ann.client, { email: 'ann@people.example' });
    expect(again.searchParams.get('error_code')).toBe('identity_already_exists');
    expect(again.searchParams.get('error_description')).toBe('Identity is already linked');
    const ben = await auth.signIn('ben@people.example');
    const landed = await link(ben.client, { email: 'ann@people.example' });
    expect(landed.searchParams.get('error_description')).toBe('Identity is already linked to another user');
  });

  test('without PKCE, a session or a provider: refused', async () => {
    const implicit = await auth.signIn('implicit-linker@people.example', auth.client({ flowType: 'implicit' }));
    const { error } = await implicit.client.auth.linkIdentity({ provider: 'google' });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    const nobody = await auth.client().auth.linkIdentity({ provider: 'google' });
    expect(nobody.error?.status).toBe(403);
    const { client } = await auth.signIn('no-provider@people.example');
    expect((await client.auth.linkIdentity({ provider: 'github' })).error?.code).toBe('validation_failed');
  });

  test('with a factor, only a session that has proven it changes identities', async () => {
    const { client } = await auth.signIn('factor@people.example');
    const landed = await link(client, { email: 'mine@elsewhere.example' });
    await sql`insert into auth.mfa_factors (user_id, factor_type, status, phone)
      select id, 'phone', 'verified', '12025550123' from auth.users where email = 'factor@people.example'`.execute(
      auth.db,
    );
    expect((await finish(client, landed)).error?.code).toBe('insufficient_aal');
    expect((await client.auth.linkIdentity({ provider: 'google' })).error?.code).toBe('insufficient_aal');
    const [mailbox] = await identitiesOf(client);
    if (!mailbox) throw new Error('none');
    expect((await client.auth.unlinkIdentity(mailbox)).error?.code).toBe('insufficient_aal');
  });

  test('a session that ends on the way links nothing', async () => {
    const { client } = await auth.signIn('ended@people.example');
    const landed = await link(client, { email: 'late@elsewhere.example' });
    await sql`delete from auth.sessions where user_id = (select id from auth.users where email = 'ended@people.example')`.execute(
      auth.db,
    );
    expect((await finish(client, landed)).error?.code).toBe('flow_state_not_found');
  });
});

describe('what is not offered', () => {
  test('signInWithSSO and signInAnonymously answer as GoTrue does', async () => {
    const client = auth.client();
    expect((await client.auth.signInWithSSO({ domain: 'harbour.example' })).error).toMatchObject({
      status: 404,
      code: 'saml_provider_disabled',
    });
    expect((await client.auth.signInAnonymously()).error).toMatchObject({ code: 'anonymous_provider_disabled' });
  });
});
