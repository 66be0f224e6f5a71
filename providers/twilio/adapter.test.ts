import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import type { TextMessage } from '#sandbox/twilio.ts';
import { createTwilioSender } from './adapter.ts';

let sandbox: Sandbox;
const texts: TextMessage[] = [];
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1', onText: (text) => void texts.push(text) });
});
afterAll(() => sandbox.close());

const sender = (accountSid = 'sandbox', from = '+15005550006') =>
  createTwilioSender({ accountSid, authToken: 'token', from, baseUrl: `${sandbox.url}/twilio/` });
const message = { to: '+12175550100', text: '123456 is your code' };

test('sends from a number, or from a messaging service', async () => {
  await sender().send(message);
  const service = `MG${'a'.repeat(32)}`;
  await sender('sandbox', service).send(message);
  expect(texts).toEqual([
    { ...message, from: '+15005550006' },
    { ...message, from: service },
  ]);
});

test.each([
  ['+15005550001', 'sandbox', 'bad_request', 'status 400, code 21211'],
  ['+15005550009', 'sandbox', 'bad_request', 'status 400, code 21614'],
  ['+12175550100', 'sandbox-bad-key', 'bad_credentials', 'status 401, code 20003'],
  ['+12175550100', 'sandbox-rate-limited', 'rate_limited', 'status 429, code 20429'],
  ['+12175550100', 'sandbox-down', 'transient', 'status 503, code 20503'],
])('to %s with %s: %s', async (to, accountSid, kind, detail) => {
  const error: unknown = await sender(accountSid)
    .send({ ...message, to })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ provider: 'twilio', kind, detail });
  expect(String(error)).not.toContain(to);
});

test('an answer that cannot be read, and a message that failed, are no success', async () => {
  await expect(sender('sandbox-malformed').send(message)).rejects.toMatchObject({ kind: 'unknown_shape' });
  const failing = createTwilioSender({
    accountSid: 'AC1',
    authToken: 'token',
    from: '+15005550006',
    baseUrl: 'https://api.twilio.example',
    fetch: async () => Response.json({ sid: 'SM1', status: 'failed', error_code: 30008 }, { status: 201 }),
  });
  await expect(failing.send(message)).rejects.toMatchObject({ kind: 'transient', detail: 'failed, code 30008' });
});
