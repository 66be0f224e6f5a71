import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetLimits, SITE, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { type Choice, choose, comeBack, goAndChoose, startIssuer } from '#test/servers/oidc-issuer.ts';

let honest: Awaited<ReturnType<typeof startIssuer>>;
let hostile: Awaited<ReturnType<typeof startIssuer>>;
let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  [honest, hostile] = await Promise.all([startIssuer(), startIssuer()]);
  const identityProviders = [honest.as('google'), hostile.as('custom:hostile')];
  auth = await startAuth(await freshDatabase(), { identityProviders });
});
afterAll(() => Promise.all([auth.close(), honest.close(), hostile.close()]));
beforeEach(async () => {
  honest.lie.tamper = undefined;
  await forgetLimits(auth.db);
});

const begin = async (client = auth.client(), provider: 'google' | `custom:${string}` = 'google', redirectTo = SITE) => {
  const { data } = await client.auth.signInWithOAuth({ provider, options: { redirectTo, skipBrowserRedirect: true } });
  return data.url ?? '';
};
const goOut = async (choice: Choice, client = auth.client()) => goAndChoose(await begin(client), choice, auth.api);
const problemOf = (landed: URL) => [landed.searchParams.get('error_code'), landed.searchParams.get('code')];
const victim = { email: 'victim@people.example' };

test('a state works once, for ten minutes, and no one can make one up', async () => {
  const back = await goOut(victim);
  expect((await comeBack(back)).searchParams.get('code')).toMatch(/.{43}/);
  expect(problemOf(await comeBack(back))).toEqual(['bad_oauth_state', null]);
  const late = await goOut(victim);
  await sql`update auth.oauth_flows set created_at = created_at - interval '601 seconds'`.execute(auth.db);
  expect(problemOf(await comeBack(late))).toEqual(['bad_oauth_state', null]);
  for (const state of ['', '&state=', '&state=made-up']) {
    const landed = await comeBack(`${auth.api}/callback?code=x${state}`);
    expect([landed.origin, ...problemOf(landed)]).toEqual([SITE, 'bad_oauth_state', null]);
  }
});

test('nothing that is kept lets anyone come back in someone’s place', async () => {
  const back = new URL(await goOut(victim));
  const rows = JSON.stringify(await auth.db.selectFrom('auth.oauth_flows').selectAll().execute());
  expect(rows).not.toContain(back.searchParams.get('state'));
  expect(rows).not.toContain(back.searchParams.get('code'));
});

test('mixed-up providers: what one answers is not taken for another’s', async () => {
  const page = (await fetch(await begin(), { redirect: 'manual' })).headers.get('Location') ?? '';
  // The person is led on to the hostile one with the state of the honest one, whose code would be sent to the other.
  const there = page.replace(honest.url, hostile.url);
  expect(problemOf(await comeBack(await choose(there, victim, auth.api)))).toEqual(['bad_oauth_callback', null]);

  const forged = await goAndChoose(await begin(auth.client(), 'custom:hostile'), victim, auth.api);
  hostile.lie.tamper = (claims, sign) => sign({ ...claims, iss: honest.url });
  expect(problemOf(await comeBack(forged))).toEqual(['bad_oauth_callback', null]);
});

const now = () => Math.floor(Date.now() / 1000);
const unsigned = (claims: object) =>
  `${[{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
test.each<[string, NonNullable<typeof honest.lie.tamper>]>([
  ['another audience', (claims, sign) => sign({ ...claims, aud: 'someone-else' })],
  ['no audience of ours among several', (claims, sign) => sign({ ...claims, aud: ['a', 'b'] })],
  ['another nonce', (claims, sign) => sign({ ...claims, nonce: 'x'.repeat(64) })],
  ['no nonce', ({ nonce: _nonce, ...claims }, sign) => sign(claims)],
  ['no end', ({ exp: _exp, ...claims }, sign) => sign(claims)],
  ['an end in the past', (claims, sign) => sign({ ...claims, exp: now() - 60 })],
  ['no subject', ({ sub: _sub, ...claims }, sign) => sign(claims)],
  ['the algorithm none', async (claims) => unsigned(claims)],
  ['another’s signature', (claims) => hostile.idToken(claims)],
])('an ID token with %s signs no one in', async (_what, tamper) => {
  honest.lie.tamper = tamper;
  const landed = await comeBack(await goOut(victim));
  expect(problemOf(landed)).toEqual(['bad_oauth_callback', null]);
});

test('an address that the provider has not verified opens no one’s account', async () => {
  await auth.signIn('cleo.brandt@harbour.example');
  const landed = await comeBack(await goOut({ person: 'cleo.brandt@harbour.example' }));
  expect(problemOf(landed)).toEqual(['provider_email_needs_verification', null]);
  honest.lie.tamper = (claims, sign) => sign({ ...claims, email_verified: 'false' });
  expect(problemOf(await comeBack(await goOut(victim)))[0]).toBe('provider_email_needs_verification');
  const providers = await auth.db.selectFrom('auth.identities').select('provider').execute();
  expect(providers).not.toContainEqual({ provider: 'google' });
});

test('the way back leads to our pages alone', async () => {
  for (const elsewhere of ['https://evil.example/', `${SITE}.evil.example`, `${SITE}@evil.example`, '//evil.example']) {
    const landed = await comeBack(
      await goAndChoose(await begin(auth.client(), 'google', elsewhere), 'cancel', auth.api),
    );
    expect(landed.origin).toBe(SITE);
  }
});

test('a code that someone else got at the provider is worth nothing in another flow', async () => {
  const stolen = new URL(await goOut(victim)).searchParams.get('code') ?? '';
  const mine = new URL(await goOut({ email: 'mallory@people.example' }));
  mine.searchParams.set('code', stolen);
  expect(problemOf(await comeBack(mine.href))).toEqual(['bad_oauth_callback', null]);
});

test('a code of ours is worth nothing in another browser, and is spent there', async () => {
  const client = auth.client();
  const code = (await comeBack(await goOut(victim, client))).searchParams.get('code') ?? '';
  const thief = auth.client();
  await begin(thief);
  expect((await thief.auth.exchangeCodeForSession(code)).error?.code).toBe('bad_code_verifier');
  expect((await client.auth.exchangeCodeForSession(code)).error?.code).toBe('flow_state_not_found');
});

test('who is sent to the provider by someone else links nothing to their account', async () => {
  const mallory = await auth.signIn('mallory@people.example');
  const { data } = await mallory.client.auth.linkIdentity({ provider: 'google', options: { redirectTo: SITE } });
  // In the victim's browser, which is signed in at the provider.
  const landed = await comeBack(await choose(data.url ?? '', victim, auth.api));
  expect(landed.searchParams.get('code')).not.toBeNull();
  const linked = await auth.db.selectFrom('auth.identities').where('provider', '=', 'google').selectAll().execute();
  expect(linked).toEqual([]);
});

test('an issuer that takes the name of another gets no one’s account by the same subject', async () => {
  const enter = async (email: string) => {
    const client = auth.client();
    honest.lie.tamper = (claims, sign) => sign({ ...claims, sub: 'person-1' });
    const landed = await comeBack(await goOut({ email }, client));
    return (await client.auth.exchangeCodeForSession(landed.searchParams.get('code') ?? '')).data.user;
  };
  const owner = await enter('owner@people.example');
  await sql`update auth.identities set identity_data = identity_data || '{"iss": "https://before.example"}'
    where user_id = ${owner?.id}`.execute(auth.db);
  const other = await enter('other@people.example');
  expect(other).toMatchObject({ email: 'other@people.example', identities: [{ id: 'person-1' }] });
  expect(other?.id).not.toBe(owner?.id);
});

test('after 200 ways out in an hour a network waits', async () => {
  const url = await begin();
  const go = () => comeBack(url);
  expect((await go()).origin).toBe(honest.url);
  await sql`update app.rate_limits set hits = 200 where bucket like 'auth.oauth.ip%'`.execute(auth.db);
  expect(problemOf(await go())).toEqual(['over_request_rate_limit', null]);
});
