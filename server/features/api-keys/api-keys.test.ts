import { beforeAll, expect, test } from 'vitest';
import { deleteKeyEndpoint, listKeysEndpoint, testKeyEndpoint } from '#contract/account/api-keys.ts';
import type { ProviderId } from '#contract/providers.ts';
import { createProviders } from '#providers/registry.ts';
import { startSandbox } from '#sandbox/start-sandbox.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { testKey } from './test-key.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  user = await product.user();
});

const PROVIDERS: ProviderId[] = ['google_places', 'hunter_io', 'searchbug'];
const keyOf = async (who: TestUser, provider: ProviderId) =>
  (await who.call(listKeysEndpoint)).apiKeys.find((key) => key.provider === provider);

test('every provider of the catalogue is listed, connected or not', async () => {
  const { apiKeys } = await user.call(listKeysEndpoint);
  expect(apiKeys).toEqual(
    [
      ['google_places', 'Google Places'],
      ['hunter_io', 'Hunter.io'],
      ['searchbug', 'SearchBug'],
    ].map(([provider, keyName]) => ({ provider, keyName, isConnected: false, maskedKey: null, lastUsed: null })),
  );
});

test.each(PROVIDERS)('a working %s key is tested free of charge, saved and shown masked', async (provider) => {
  const apiKey = provider === 'searchbug' ? '12345678:sandbox-abcdefgh' : 'sandbox-abcdefgh';
  expect(await user.call(testKeyEndpoint, { provider, apiKey })).toEqual({ valid: true, error: null, saved: false });
  expect(await keyOf(user, provider)).toMatchObject({ isConnected: false });
  expect(await user.call(testKeyEndpoint, { provider, apiKey, save: true })).toMatchObject({
    valid: true,
    saved: true,
  });
  expect(await keyOf(user, provider)).toMatchObject({ isConnected: true, maskedKey: '••••efgh' });
  expect((await keyOf(user, provider))?.lastUsed).toBeTruthy();
  expect(product.sandbox.meter.totals().micros).toBe(0);
});

test('the stored key can be tested, also by a blank field, and stays', async () => {
  for (const body of [{ testExisting: true }, { apiKey: '', save: true }, { apiKey: '   ' }])
    expect(await user.call(testKeyEndpoint, { provider: 'google_places', ...body })).toMatchObject({ valid: true });
  expect(await keyOf(user, 'google_places')).toMatchObject({ maskedKey: '••••efgh' });
});

test('what is stored is sealed, and opens nowhere else', async () => {
  const row = await product.db
    .selectFrom('app.provider_keys')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('provider', '=', 'hunter_io')
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain('sandbox-abcdefgh');
  const { vault } = product.deps;
  expect(vault.open(row.sealed_key, `provider_keys.sealed_key:${user.id}:hunter_io`)).toBe('sandbox-abcdefgh');
  expect(() => vault.open(row.sealed_key, `provider_keys.sealed_key:${user.id}:searchbug`)).toThrow();
  expect(product.log.join('\n')).not.toContain('abcdefgh');
});

test.each(PROVIDERS)('a refused, malformed or unreachable %s key is an answer, and is not saved', async (provider) => {
  const other = await product.user();
  const keys = ['sandbox-bad-key', 'sandbox-down', 'sandbox-malformed', 'schlüssel', 'a\nb: c', ' '];
  for (const apiKey of keys) {
    const answer = await other.call(testKeyEndpoint, { provider, apiKey, save: true });
    expect(answer).toMatchObject({ valid: false, saved: false });
    expect(answer.error).toBeTruthy();
    expect(answer.error).not.toContain('sandbox-');
  }
  expect(await keyOf(other, provider)).toMatchObject({ isConnected: false });
});

test('a blank field without a stored key asks for one', async () => {
  const other = await product.user();
  expect(await other.call(testKeyEndpoint, { provider: 'hunter_io', apiKey: '', save: true })).toEqual({
    valid: false,
    error: 'Please enter an API key',
    saved: false,
  });
});

test('a key that fails its test does not replace the one that works', async () => {
  const answer = await user.call(testKeyEndpoint, { provider: 'hunter_io', apiKey: 'sandbox-bad-key', save: true });
  expect(answer).toMatchObject({ valid: false, saved: false });
  expect(await keyOf(user, 'hunter_io')).toMatchObject({ maskedKey: '••••efgh' });
});

test('sandbox keys are refused where the sandbox is off', async () => {
  const { env } = product.deps;
  env.sandbox = false;
  const answer = await user.call(testKeyEndpoint, { provider: 'hunter_io', apiKey: 'sandbox', save: true });
  env.sandbox = true;
  expect(answer).toMatchObject({ valid: false, error: expect.stringContaining('Sandbox keys do not work here') });
});

test('a real provider that cannot be reached is an answer too', async () => {
  const other = await product.user();
  const { providers } = product.deps;
  const gone = await startSandbox({ port: 0, host: '127.0.0.1' });
  await gone.close();
  const nowhere = gone.url;
  product.deps.providers = createProviders({
    urls: {
      google_places: nowhere,
      hunter_io: nowhere,
      searchbug: nowhere,
      areaInsights: nowhere,
      keap: { accounts: nowhere, api: nowhere },
    },
  });
  const answer = await other.call(testKeyEndpoint, { provider: 'hunter_io', apiKey: 'a-real-looking-key', save: true });
  product.deps.providers = providers;
  expect(answer).toMatchObject({ valid: false, saved: false, error: expect.stringContaining('could not be reached') });
});

test('a key whose caller has gone in the meantime is not saved', async () => {
  const other = await product.user();
  const gone = new AbortController();
  const emailFinder = (key: string) => ({
    ...product.deps.providers.emailFinder(key),
    testKey: async () => gone.abort(),
  });
  const ctx = {
    deps: { ...product.deps, providers: { ...product.deps.providers, emailFinder } },
    user: {
      userId: other.id,
      email: other.email,
      sessionId: '',
      role: 'user' as const,
      aal: 'aal1' as const,
      isFresh: true,
    },
    requestId: '',
    log: product.deps.log,
    signal: gone.signal,
    ip: '',
  };
  const body = { provider: 'hunter_io' as const, apiKey: 'sandbox-too-late', save: true };
  await expect(testKey(ctx, body)).rejects.toThrow('aborted');
  expect(await keyOf(other, 'hunter_io')).toMatchObject({ isConnected: false });
});

test("disconnecting removes one's own key only, and may be repeated", async () => {
  const other = await product.user();
  await other.call(deleteKeyEndpoint, { provider: 'hunter_io' });
  expect(await keyOf(user, 'hunter_io')).toMatchObject({ isConnected: true });
  await user.call(deleteKeyEndpoint, { provider: 'hunter_io' });
  await user.call(deleteKeyEndpoint, { provider: 'hunter_io' });
  expect(await keyOf(user, 'hunter_io')).toMatchObject({ isConnected: false, maskedKey: null });
  expect(await keyOf(user, 'google_places')).toMatchObject({ isConnected: true });
});

test('an unknown provider and a key that is far too long are refused', async () => {
  const send = (body: object) => user.call(testKeyEndpoint, body as { provider: 'hunter_io' });
  await expect(send({ provider: 'nobody', apiKey: 'x' })).rejects.toMatchObject({ status: 422 });
  await expect(send({ provider: 'hunter_io', apiKey: 'x'.repeat(10_000) })).rejects.toMatchObject({ status: 422 });
});
