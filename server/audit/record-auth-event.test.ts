import { beforeAll, beforeEach, expect, test } from 'vitest';
import { connect, type Db } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import { requestScope } from '#server/http/request-scope.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { authEventRecorder } from './record-auth-event.ts';

const USER = '8f14e45f-ceea-467f-9a36-5c0ea8ab5b9a';
const ip = '192.0.2.7';
const record = authEventRecorder(createVault([Buffer.alloc(32, 3).toString('base64')]));
let db: Db;
beforeAll(async () => {
  ({ db } = connect(await freshDatabase()));
  return () => db.destroy();
});
let known = 0;
beforeEach(async () => {
  const last = await db.selectFrom('app.audit_log').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  known = last?.id ?? 0;
});
const written = () => db.selectFrom('app.audit_log').selectAll().where('id', '>', known).orderBy('id').execute();

test('sign-ins and sign-outs name the person by id, the way, the address and the request', async () => {
  await requestScope.run({ requestId: 'request-1' }, async () => {
    await record(db, { type: 'signed_in', userId: USER, way: 'code', ip });
    await record(db, { type: 'signed_out', userId: USER, scope: 'global', ip });
  });
  await record(db, { type: 'reuse_detected', userId: USER, ip: 'unknown' });
  const same = { target: USER, actor_email: null };
  expect(await written()).toMatchObject([
    { ...same, action: 'session.signed_in', actor_id: USER, details: { way: 'code' }, ip, request_id: 'request-1' },
    { ...same, action: 'session.signed_out', actor_id: USER, details: { scope: 'global' }, ip },
    { ...same, action: 'session.reuse_detected', actor_id: null, ip: null, request_id: null },
  ]);
});

test('a refusal is written once an hour for an address and a reason', async () => {
  const refusal = { type: 'refused', email: 'eve@people.example', reason: 'NO_CONTACT', at: 'link', ip } as const;
  await Promise.all(Array.from({ length: 20 }, () => record(db, refusal)));
  await record(db, { ...refusal, reason: 'MISSING_TAG' });
  const rows = await written();
  expect(rows.map(({ action, target, details }) => [action, target, details])).toEqual([
    ['access.refused', 'eve@people.example', { reason: 'NO_CONTACT', at: 'link' }],
    ['access.refused', 'eve@people.example', { reason: 'MISSING_TAG', at: 'link' }],
  ]);
});

test('anyone who tries a thousand addresses gets five hundred lines and one that says so', async () => {
  await db.deleteFrom('app.rate_limits').execute();
  for (let tens = 0; tens < 100; tens += 1)
    await Promise.all(
      Array.from({ length: 10 }, (_, one) =>
        record(db, { type: 'refused', email: `${tens}-${one}@people.example`, reason: 'NO_CONTACT', at: 'link', ip }),
      ),
    );
  const actions = (await written()).map(({ action }) => action);
  expect(actions.filter((action) => action === 'access.refused')).toHaveLength(500);
  expect(actions.filter((action) => action !== 'access.refused')).toEqual(['access.refusals_unrecorded']);
});
