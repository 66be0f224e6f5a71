import { expect, test } from 'vitest';
import { createPlaceFinder } from './adapter.ts';

const key = `AIza${'k'.repeat(35)}`;

type Refusal = {
  reason?: string;
  message?: string;
  metadata?: Record<string, string>;
  headers?: Record<string, string>;
};

async function refused(
  code: number,
  status: string,
  { reason, message = 'No.', metadata = {}, headers = {} }: Refusal = {},
) {
  const details = reason
    ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com', metadata }]
    : undefined;
  return answered(Response.json({ error: { code, message, status, details } }, { status: code, headers }));
}

async function answered(response: Response): Promise<unknown> {
  const finder = createPlaceFinder({ apiKey: key, baseUrl: 'https://places.example', fetch: async () => response });
  return finder.locate('Austin, TX').then(
    () => 'answered',
    (error: unknown) => error,
  );
}

test.each([
  [400, 'INVALID_ARGUMENT', 'API_KEY_INVALID', 'bad_credentials', /rejected this API key/],
  [403, 'PERMISSION_DENIED', 'SERVICE_DISABLED', 'bad_configuration', /Enable "Places API \(New\)"/],
  [403, 'PERMISSION_DENIED', 'API_KEY_SERVICE_BLOCKED', 'bad_configuration', /API restrictions/],
  [403, 'PERMISSION_DENIED', 'API_KEY_HTTP_REFERRER_BLOCKED', 'bad_configuration', /application restriction to "None"/],
  [403, 'PERMISSION_DENIED', 'API_KEY_IP_ADDRESS_BLOCKED', 'bad_configuration', /IP address of this server/],
  [403, 'PERMISSION_DENIED', 'API_KEY_ANDROID_APP_BLOCKED', 'bad_configuration', /limited to apps/],
  [403, 'PERMISSION_DENIED', 'API_KEY_IOS_APP_BLOCKED', 'bad_configuration', /limited to apps/],
  [403, 'PERMISSION_DENIED', 'BILLING_DISABLED', 'bad_configuration', /Billing is off/],
  [403, 'PERMISSION_DENIED', 'CONSUMER_SUSPENDED', 'bad_credentials', /suspended/],
  [403, 'PERMISSION_DENIED', 'CONSUMER_INVALID', 'bad_credentials', /no longer exists/],
  [403, 'PERMISSION_DENIED', 'SOMETHING_NEW', 'bad_configuration', /Google refused this key/],
  [429, 'RESOURCE_EXHAUSTED', 'RESOURCE_QUOTA_EXCEEDED', 'out_of_credit', /quota of this key is used up/],
  [400, 'INVALID_ARGUMENT', undefined, 'bad_request', /did not accept this search/],
  [401, 'UNAUTHENTICATED', undefined, 'bad_credentials', /rejected this API key/],
  [404, 'NOT_FOUND', undefined, 'bad_request', /did not accept/],
  [500, 'INTERNAL', undefined, 'transient', /having trouble/],
  [503, 'UNAVAILABLE', undefined, 'transient', /having trouble/],
  [504, 'DEADLINE_EXCEEDED', undefined, 'transient', /having trouble/],
])('HTTP %i %s %s is %s', async (code, status, reason, kind, message) => {
  await expect(refused(code, status, reason ? { reason } : {})).resolves.toMatchObject({
    name: 'ProviderError',
    provider: 'google_places',
    kind,
    charge: 'none',
    message: expect.stringMatching(message),
  });
});

test.each([
  ['1/d/{project}', 'out_of_credit'],
  ['1/min/{project}', 'rate_limited'],
  ['1/m/{project}', 'rate_limited'],
])('a quota of %s is %s', async (unit, kind) => {
  const limited = { reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_unit: unit } };
  await expect(refused(429, 'RESOURCE_EXHAUSTED', limited)).resolves.toMatchObject({ kind });
});

test('Retry-After is passed on', async () => {
  const limited = { reason: 'RATE_LIMIT_EXCEEDED', headers: { 'retry-after': '17' } };
  await expect(refused(429, 'RESOURCE_EXHAUSTED', limited)).resolves.toMatchObject({ retryAfterMs: 17_000 });
});

test('a missing key header is our mistake, not the key', async () => {
  const message = "Method doesn't allow unregistered callers.";
  await expect(refused(403, 'PERMISSION_DENIED', { message })).resolves.toMatchObject({ kind: 'bad_request' });
});

test('a key that Google repeats in its refusal appears nowhere in the error', async () => {
  const message = `Consumer 'api_key:${key}' has been suspended.`;
  const error = await refused(403, 'PERMISSION_DENIED', { reason: 'CONSUMER_SUSPENDED', message });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('kkkk');
  expect(error).toMatchObject({ detail: expect.stringContaining('[redacted]') });
});

test.each([
  [200, 'unknown_shape', 'possible'],
  [302, 'bad_configuration', 'none'],
  [403, 'bad_configuration', 'none'],
  [404, 'bad_configuration', 'none'],
  [429, 'rate_limited', 'none'],
  [502, 'transient', 'none'],
])('a web page with status %i is %s', async (status, kind, charge) => {
  await expect(answered(new Response('<!DOCTYPE html><p>Hello', { status }))).resolves.toMatchObject({ kind, charge });
});
