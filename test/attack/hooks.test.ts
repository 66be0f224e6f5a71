import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { BEFORE_USER_CREATED_PATH, CUSTOM_ACCESS_TOKEN_PATH } from '#server/features/hooks/events.ts';
import { type Site, startSite } from './harness/site.ts';

const SECRET = randomBytes(32);
const KIM = 'kim@people.example';

let site: Site;
beforeAll(async () => {
  site = await startSite({ hookSecrets: [`whsec_${SECRET.toString('base64')}`] });
});

type Headers = Record<string, string>;
const creationOf = (email: string) =>
  JSON.stringify({
    metadata: { uuid: randomUUID(), time: new Date(), name: 'before-user-created', ip_address: '192.0.2.1' },
    user: { id: randomUUID(), aud: 'authenticated', role: '', phone: '', is_anonymous: false, email },
  });
function sign(body: string, { key = SECRET, ageMs = 0 } = {}): Headers {
  const id = randomUUID();
  const seconds = String(Math.floor((Date.now() - ageMs) / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}
const send = (body: string, headers: Headers, path = BEFORE_USER_CREATED_PATH) =>
  site.call('POST', path, { body, headers });

test('a delivery that is recorded and sent again decides nothing again', async () => {
  const body = creationOf(KIM);
  const headers = sign(body);
  const refused = await send(body, headers);
  expect(JSON.parse(refused.text)).toMatchObject({ error: { http_code: 403 } });
  await site.invite(KIM);
  const replays = await Promise.all([send(body, headers), send(body, headers)]);
  for (const replay of replays) expect([replay.status, replay.text]).toEqual([refused.status, refused.text]);
  const other = creationOf(KIM);
  expect(JSON.parse((await send(other, sign(other))).text)).toEqual({});
});

test('a signature is good for its id, its time, its body and its hook alone', async () => {
  await site.invite('lee@people.example');
  const body = creationOf('lee@people.example');
  const headers = sign(body);
  const now = String(Math.floor(Date.now() / 1000) + 1);
  const old = sign(body, { ageMs: 6 * 60_000 });
  const altered: [string, Headers][] = [
    [creationOf('eve@evil.example'), headers],
    [`${body} `, headers],
    [body, { ...headers, 'webhook-id': randomUUID() }],
    [body, { ...headers, 'webhook-timestamp': now }],
    [body, old],
    [body, { ...old, 'webhook-timestamp': now }],
    [body, sign(body, { key: randomBytes(32) })],
    [body, { ...headers, 'webhook-signature': '' }],
    [body, { ...headers, 'webhook-signature': 'v1,' }],
    [body, { ...headers, 'webhook-signature': headers['webhook-signature']?.replace('v1,', 'v1a,') ?? '' }],
  ];
  for (const [sent, forged] of altered) expect((await send(sent, forged)).status).toBe(401);
  expect((await send(body, headers)).status).toBe(200);
  // The other hook does not take it: its event is another.
  expect((await send(body, headers, CUSTOM_ACCESS_TOKEN_PATH)).status).toBeGreaterThanOrEqual(400);
});
