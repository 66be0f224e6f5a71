import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { accountOf, mailTo, signIn } from './harness/people.ts';
import { ADMIN, type Site, startSite } from './harness/site.ts';

const KIM = 'kim@people.example';
const CHOSEN = 'chosen-by-a-client';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  await signIn(site, ADMIN);
  await site.invite(KIM);
});

type Line = { msg: string; path?: string; requestId?: string; userId?: string; clientRequestId?: string };
const linesOf = (path: string): Line[] =>
  site.log.map((line): Line => JSON.parse(line)).filter((line) => line.msg === 'request' && line.path === path);

test('no one chooses the id under which the log and the audit log keep what they did', async () => {
  const headers = { 'x-request-id': CHOSEN };
  await sql`delete from app.rate_limits`.execute(site.db);
  await site.call('POST', '/auth/v1/otp', { body: { email: KIM }, headers });
  const token = mailTo(site.mails, KIM).code;
  const signedIn = await site.call('POST', '/auth/v1/verify', { body: { type: 'email', email: KIM, token }, headers });
  const kim = accountOf(signedIn.text);
  const asKim = { token: kim.accessToken, headers };
  const exported = await site.call('GET', '/api/account/export', asKim);
  const called = await site.call('GET', '/functions/v1/keys', asKim);
  await site.call('POST', '/auth/v1/logout', asKim);

  const { rows } = await sql<{ request_id: string }>`
    select request_id from app.audit_log where actor_id = ${kim.userId}`.execute(site.db);
  expect(rows.length).toBeGreaterThan(1);
  for (const { request_id: id } of rows) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  for (const answer of [signedIn, exported, called])
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(site.log.some((line) => JSON.parse(line).requestId === CHOSEN)).toBe(false);
  expect(linesOf('/auth/v1/logout')).toMatchObject([{ clientRequestId: CHOSEN }]);
  // A function is one request with the call that it makes.
  const [inner, outer] = [linesOf('/api/keys').at(-1), linesOf('/functions/v1/keys').at(-1)];
  expect(inner?.requestId).toBe(called.headers.get('x-request-id'));
  expect(outer?.requestId).toBe(inner?.requestId);
});

test('the log names who did something by their id, wherever they did it, and no one whose token is not good', async () => {
  const kim = await signIn(site, KIM);
  const { accessToken: token, refreshToken: refresh_token } = kim;
  const asked = [
    ['GET', '/api/keys'],
    ['GET', '/rest/v1/lists'],
    ['GET', '/auth/v1/user'],
    ['GET', '/storage/v1/object/exports/none.csv'],
    ['GET', '/functions/v1/runs'],
  ] as const;
  for (const [method, path] of asked) {
    site.log.length = 0;
    await site.call(method, path, { token: `${token}x` });
    expect(linesOf(path), path).toMatchObject([{ requestId: expect.any(String) }]);
    expect(linesOf(path)[0]?.userId, path).toBeUndefined();
    await site.call(method, path, { token });
    expect(linesOf(path)[1], path).toMatchObject({ userId: kim.userId });
  }
  site.log.length = 0;
  await site.call('POST', '/auth/v1/token?grant_type=refresh_token', { body: { refresh_token } });
  expect(linesOf('/auth/v1/token')).toMatchObject([{ userId: kim.userId }]);
  expect(site.log.join('\n')).not.toContain(KIM);
});
