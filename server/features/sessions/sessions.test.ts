import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { endSessionEndpoint, listSessionsEndpoint } from '#contract/access/sessions.ts';
import { startProduct } from '#test/product.ts';

const product = await startProduct({ worker: false });

const addSession = async (userId: string, columns: { user_agent?: string; ip?: string; not_after?: Date } = {}) =>
  (
    await product.db
      .insertInto('auth.sessions')
      .values({ user_id: userId, ...columns })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

test('lists where the caller is signed in, the one that asks first', async () => {
  const [ann, other] = [await product.user('ann'), await product.user('other')];
  const phone = await addSession(ann.id, {
    user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1',
    ip: '2001:db8::7',
  });
  await addSession(ann.id, { not_after: new Date(Date.now() - 1000) });
  await addSession(other.id);
  const { sessions } = await ann.call(listSessionsEndpoint);
  expect(sessions).toEqual([
    {
      id: expect.any(String),
      device: 'Unknown device',
      ip: null,
      signedInAt: expect.any(String),
      lastUsedAt: expect.any(String),
      endsAt: expect.any(String),
      isCurrent: true,
    },
    expect.objectContaining({ id: phone, device: 'Safari on iPhone', ip: '2001:db8::7', isCurrent: false }),
  ]);
});

test('an ended session is refused from then on', async () => {
  const ann = await product.user('ann');
  const second = product.as(ann);
  const [mine] = (await second.call(listSessionsEndpoint)).sessions;
  expect(await ann.call(endSessionEndpoint, { id: mine?.id ?? '' })).toEqual({ id: mine?.id });
  await expect(second.call(listSessionsEndpoint)).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  expect((await ann.call(listSessionsEndpoint)).sessions).toHaveLength(1);
});

test("someone else's session, one that is gone, and what is none at all", async () => {
  const [ann, other] = [await product.user('ann'), await product.user('other')];
  const theirs = await addSession(other.id);
  for (const id of [theirs, randomUUID()])
    await expect(ann.call(endSessionEndpoint, { id })).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(ann.call(endSessionEndpoint, { id: 'x' })).rejects.toMatchObject({
    status: 422,
    code: 'VALIDATION_FAILED',
  });
  expect((await other.call(listSessionsEndpoint)).sessions.map((one) => one.id)).toContain(theirs);
});
