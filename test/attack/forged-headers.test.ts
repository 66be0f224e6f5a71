import { request } from 'node:http';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { mailTo, signIn } from './harness/people.ts';
import { ADMIN, PUBLISHABLE_KEY, SITE_URL, type Site, startSite } from './harness/site.ts';

const KIM = 'kim@people.example';

let site: Site;
beforeAll(async () => {
  // Nothing in front of the server may be believed.
  site = await startSite({ trustProxy: [] });
  await signIn(site, ADMIN);
  await site.invite(KIM);
});

type Reply = { status: number; headers: NodeJS.Dict<string | string[]>; text: string };

/** A request over the wire; fetch would not let a test choose Host. */
const ask = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  new Promise<Reply>((resolve, reject) => {
    const given = { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json', ...headers };
    const asked = request(`${site.url}${path}`, { method, headers: given, setHost: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });

const FORGED: Record<string, string>[] = [
  { Host: 'evil.example' },
  { Host: 'site.example:443@evil.example' },
  { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' },
  { Host: 'site.example', 'X-Forwarded-Host': 'evil.example' },
  { Host: 'site.example', Forwarded: 'host=evil.example;proto=http;for=198.51.100.7' },
  { Host: 'site.example', 'X-Original-URL': '//evil.example', 'X-Rewrite-URL': '//evil.example' },
  { Host: 'site.example', 'X-Host': 'evil.example', 'X-Forwarded-Server': 'evil.example', 'X-Forwarded-Port': '1' },
  { Host: 'site.example', Origin: 'https://evil.example', Referer: 'https://evil.example/' },
];

test.each(FORGED)('no address that is made up on the way is used: %j', async (headers) => {
  await sql`delete from app.rate_limits`.execute(site.db);
  const mailed = site.mails.length;
  const asked = await ask('POST', '/auth/v1/otp', headers, { email: KIM });
  const link = await ask('GET', '/auth/v1/verify?token=wrong&type=magiclink', headers);
  const config = await ask('GET', '/config.json', headers);
  const back = await ask('GET', '/api/admin/keap/oauth/callback?state=x&code=y', headers);
  const page = await ask('GET', '//evil.example/..', headers);
  for (const reply of [asked, link, config, back, page]) {
    expect(reply.status, reply.text).toBeLessThan(500);
    expect(`${JSON.stringify(reply.headers)}${reply.text}`).not.toContain('evil.example');
  }
  for (const mail of site.mails.slice(mailed)) {
    expect(JSON.stringify(mail)).not.toContain('evil.example');
    expect(mailTo(site.mails, KIM).link.origin).toBe(SITE_URL);
  }
  // A Host that is none is refused before anything is done.
  expect(site.mails.length - mailed).toBe(asked.status === 200 ? 1 : 0);
});

test('no one gets around a limit by an address of their own choice', async () => {
  await sql`delete from app.rate_limits`.execute(site.db);
  const [{ hits }] = AUTH_LIMITS.asks;
  const statuses: number[] = [];
  for (let n = 0; n <= hits; n += 1) {
    const ip = `198.51.100.${n}`;
    const headers = {
      Host: 'site.example',
      'X-Forwarded-For': ip,
      'X-Real-IP': ip,
      'True-Client-IP': ip,
      'CF-Connecting-IP': ip,
      'X-Client-IP': ip,
      Forwarded: `for=${ip}`,
    };
    statuses.push((await ask('POST', '/auth/v1/otp', headers, { email: 'no address' })).status);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(statuses.at(-1)).toBe(429);
});

test('no one is written down under an address of their own choice', async () => {
  await sql`delete from app.rate_limits`.execute(site.db);
  const headers = { Host: 'site.example', 'X-Forwarded-For': '198.51.100.9' };
  await ask('POST', '/auth/v1/otp', headers, { email: KIM });
  const body = { email: KIM, token: mailTo(site.mails, KIM).code, type: 'email' };
  expect((await ask('POST', '/auth/v1/verify', headers, body)).status).toBe(200);
  const { rows } = await sql<{ ip: string }>`
    select host(ip) as ip from auth.sessions join auth.users on users.id = user_id where email = ${KIM}`.execute(
    site.db,
  );
  expect(rows).toEqual([{ ip: '127.0.0.1' }]);
});

test('pages of other sites read nothing', async () => {
  for (const Origin of ['https://evil.example', 'null', 'http://site.example', 'https://site.example.evil.example'])
    for (const [method, path] of [
      ['OPTIONS', '/rest/v1/lists'],
      ['GET', '/auth/v1/settings'],
      ['OPTIONS', '/api/keys'],
      ['GET', '/api/keys'],
    ] as const) {
      const preflight = {
        'Access-Control-Request-Method': 'DELETE',
        'Access-Control-Request-Headers': 'authorization',
      };
      const { headers } = await ask(method, path, { Host: 'site.example', Origin, ...preflight });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
});
