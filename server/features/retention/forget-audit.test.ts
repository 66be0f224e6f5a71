import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { AUDIT_DAYS, REFUSAL_DAYS } from '#contract/work/retention.ts';
import { connect, type Db } from '#db/connection/client.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { forgetAudit } from './forget-audit.ts';

let db: Db;
beforeAll(async () => {
  ({ db } = connect(await freshDatabase()));
  return () => db.destroy();
});

const HOUR_MS = 3_600_000;
const ago = (days: number, hours = 0) => new Date(Date.now() - (days * 24 + hours) * HOUR_MS);
const targets = async () =>
  (await db.selectFrom('app.audit_log').select('target').orderBy('target').execute()).map((row) => row.target);

test('lines go when their time is over, refusals sooner; the others can be neither changed nor deleted', async () => {
  await db
    .insertInto('app.audit_log')
    .values([
      { action: 'user.role_changed', target: 'act: over', at: ago(AUDIT_DAYS, 1) },
      { action: 'user.role_changed', target: 'act: stays', at: ago(AUDIT_DAYS, -1) },
      { action: 'access.refused', target: 'refusal: over', at: ago(REFUSAL_DAYS, 1) },
      { action: 'access.refused', target: 'refusal: stays', at: ago(REFUSAL_DAYS, -1) },
    ])
    .execute();
  for (const change of [
    sql`delete from app.audit_log`,
    sql`delete from app.audit_log where target = 'act: stays'`,
    sql`update app.audit_log set target = null where target = 'act: over'`,
    sql`truncate app.audit_log`,
  ])
    await expect(change.execute(db)).rejects.toMatchObject({ code: '42501' });
  await forgetAudit(db, new AbortController().signal);
  expect(await targets()).toEqual(['act: stays', 'refusal: stays']);
});
