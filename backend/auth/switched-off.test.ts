// @vitest-environment jsdom
import type { AuthError, SupabaseClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { startAuth } from './testing/harness.ts';

const NOBODY = '11111111-1111-4111-8111-111111111111';
const RP = { rpId: 'site.example', rpOrigins: ['http://site.example'] };

let auth: Awaited<ReturnType<typeof startAuth>>;
let client: SupabaseClient;

beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
  ({ client } = await auth.signIn('ann@harbour.example'));
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => auth.close());

const refusals = async (asked: Promise<{ error: unknown }>[]) =>
  (await Promise.all(asked)).map(({ error }) => [(error as AuthError)?.status, (error as AuthError)?.code]);

/** A browser that could make a passkey, if it were asked to. */
function stubWebAuthn() {
  const credentials = { create: vi.fn(), get: vi.fn() };
  vi.stubGlobal('PublicKeyCredential', class {});
  vi.stubGlobal('navigator', { userAgent: 'test', credentials });
  return credentials;
}

test('passkeys are off, for anyone who asks, and no browser is bothered', async () => {
  const { create, get } = stubWebAuthn();
  const { passkey } = client.auth;
  const credential = { id: 'x', rawId: 'x', type: 'public-key' as const, clientExtensionResults: {} };
  const created = { clientDataJSON: '', attestationObject: '' };
  const proven = { clientDataJSON: '', authenticatorData: '', signature: '' };
  const asked = [
    client.auth.registerPasskey(),
    client.auth.signInWithPasskey(),
    auth.client().auth.signInWithPasskey(),
    passkey.startRegistration(),
    passkey.verifyRegistration({ challengeId: NOBODY, credential: { ...credential, response: created } }),
    passkey.startAuthentication(),
    passkey.verifyAuthentication({ challengeId: NOBODY, credential: { ...credential, response: proven } }),
    passkey.list(),
    passkey.update({ passkeyId: NOBODY, friendlyName: 'Key' }),
    passkey.delete({ passkeyId: NOBODY }),
  ];
  expect(await refusals(asked)).toEqual(asked.map(() => [404, 'passkey_disabled']));
  expect(create).not.toHaveBeenCalled();
  expect(get).not.toHaveBeenCalled();
});

test('a passkey is no second step either', async () => {
  stubWebAuthn();
  const { webauthn } = client.auth.mfa;
  const asked = [
    webauthn.register({ friendlyName: 'Key', webauthn: RP }),
    webauthn.enroll({ friendlyName: 'Key' }),
    webauthn.challenge({ factorId: NOBODY, webauthn: RP }),
    webauthn.authenticate({ factorId: NOBODY, webauthn: RP }),
  ];
  const unknown = [404, 'mfa_factor_not_found'];
  const off = [422, 'mfa_webauthn_enroll_not_enabled'];
  expect(await refusals(asked)).toEqual([off, off, unknown, unknown]);
  const credential_response = { toJSON: () => ({ id: 'x' }) } as never;
  const proof = { ...RP, type: 'request' as const, credential_response };
  const verified = webauthn.verify({ factorId: NOBODY, challengeId: NOBODY, webauthn: proof });
  expect(await refusals([verified])).toEqual([[422, 'mfa_webauthn_verify_not_enabled']]);
});

test('no one signs in to other applications by this one', async () => {
  const { oauth } = client.auth;
  const asked = [
    oauth.getAuthorizationDetails('any'),
    oauth.approveAuthorization('any', { skipBrowserRedirect: true }),
    oauth.denyAuthorization('any', { skipBrowserRedirect: true }),
    oauth.listGrants(),
    oauth.revokeGrant({ clientId: NOBODY }),
  ];
  expect(await refusals(asked)).toEqual(asked.map(() => [404, 'feature_disabled']));
  const stranger = await fetch(`${auth.api}/user/oauth/grants`);
  expect(stranger.status).toBe(401);
});

test('wallets are off', async () => {
  const proof = { chain: 'solana', message: 'Sign in', signature: new Uint8Array(64) } as const;
  expect(await refusals([client.auth.signInWithWeb3(proof)])).toEqual([[422, 'web3_provider_disabled']]);
});
