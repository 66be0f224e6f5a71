import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { getSessionEndsEndpoint, setSessionEndsEndpoint } from '#contract/access/session-ends.ts';
import { listSessionsEndpoint } from '#contract/access/sessions.ts';
import { listKeysEndpoint } from '#contract/account/api-keys.ts';
import { startProduct, type TestUser } from '#test/product.ts';

const product = await startProduct({ worker: false });
const HOUR_MS = 3_600_000;

/** Makes the sessions of someone as old as if they had signed in, and last used them, so many hours ago. */
const age = (user: TestUser, hours: { signedIn: number; used: number }) =>
  sql`update auth.sessions set created_at = now() - ${hours.signedIn} * interval '1 hour',
    refreshed_at = now() - ${hours.used} * interval '1 hour' where user_id = ${user.id}`.execute(product.db);

test('administrators set when sessions end, and those that are past it end at once', async () => {
  const [admin, user] = [await product.admin(), await product.user()];
  expect(await admin.call(getSessionEndsEndpoint)).toEqual({ ends: { idle_hours: 720, max_hours: 2160 } });
  await user.call(listKeysEndpoint);
  await age(user, { signedIn: 100, used: 20 });
  await expect(user.call(listKeysEndpoint)).resolves.toBeDefined();
  const ends = { idle_hours: 8, max_hours: 168 };
  expect(await admin.call(setSessionEndsEndpoint, ends)).toEqual({ ends });
  await expect(user.call(listKeysEndpoint)).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  const left = await product.db.selectFrom('auth.sessions').select('id').where('user_id', '=', user.id).execute();
  expect(left).toEqual([]);
  await admin.call(setSessionEndsEndpoint, ends);
  const lines = await product.db
    .selectFrom('app.audit_log')
    .select('details')
    .where('action', '=', 'access.session_ends_set')
    .execute();
  expect(lines).toEqual([{ details: { ...ends, ended: 1 } }]);
  await admin.call(setSessionEndsEndpoint, { idle_hours: 720, max_hours: 2160 });
});

test('a session is refused as soon as it is over, before anything has deleted it', async () => {
  const [unused, old] = [await product.user(), await product.user()];
  for (const user of [unused, old]) await user.call(listKeysEndpoint);
  await age(unused, { signedIn: 721, used: 721 });
  await age(old, { signedIn: 2161, used: 0 });
  for (const user of [unused, old]) await expect(user.call(listKeysEndpoint)).rejects.toMatchObject({ status: 401 });
});

test('the list of sessions says when each ends', async () => {
  const user = await product.user();
  await user.call(listKeysEndpoint);
  await age(user, { signedIn: 10, used: 1 });
  const [session] = (await user.call(listSessionsEndpoint)).sessions;
  expect((Date.parse(session?.endsAt ?? '') - Date.now()) / HOUR_MS).toBeCloseTo(719, 1);
  await age(user, { signedIn: 2150, used: 1 });
  const [oldest] = (await user.call(listSessionsEndpoint)).sessions;
  expect((Date.parse(oldest?.endsAt ?? '') - Date.now()) / HOUR_MS).toBeCloseTo(10, 1);
});

test.each([
  [{ idle_hours: 1, max_hours: 5 }, 'A session must last at least 2 hours.'],
  [{ idle_hours: 5, max_hours: 8761 }, 'A session can last at most a year.'],
  [{ idle_hours: 9, max_hours: 8 }, 'The limit without use cannot be longer than the total limit.'],
])('limits that make no sense are refused: %o', async (ends, message) => {
  const admin = await product.admin();
  await expect(admin.call(setSessionEndsEndpoint, ends)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: expect.stringContaining(message),
  });
  const user = await product.user();
  await expect(user.call(setSessionEndsEndpoint, { idle_hours: 8, max_hours: 8 })).rejects.toMatchObject({
    status: 403,
  });
});
