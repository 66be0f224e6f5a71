import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { compareMeter, type MeterKey } from './compare-meter.ts';

/** What a meter says: of Hunter millionths of credits used, and in which billing period; of SearchBug micro-dollars left. */
export type Reading = { value: number; period?: string };

/** Whether calls to the provider are out, which its meter may have counted already. */
export async function isUnderWay(db: Db | Tx, { userId, provider }: MeterKey): Promise<boolean> {
  const { rows } = await sql`
    select from app.paid_calls where user_id = ${userId} and provider = ${provider} and state = 'sent' limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Keeps a reading that belongs to this moment. */
export async function keepReading(db: Db | Tx, key: MeterKey, { value, period }: Reading): Promise<void> {
  await db
    .insertInto('app.meter_readings')
    .values({
      user_id: key.userId,
      provider: key.provider,
      fingerprint: key.fingerprint,
      sandbox: key.sandbox,
      value,
      period: period ?? null,
    })
    .execute();
}

/**
 * Keeps a reading that no one has asked for. It takes the place of the last reading where that drifts.
 * So a drift is shown until its user compares again, or until the two agree.
 */
export async function noteReading(db: Db, key: MeterKey, reading: Reading): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const last = await compareMeter(tx, key);
    if (last?.state === 'drifts')
      await sql`
        delete from app.meter_readings where id = (
          select max(id) from app.meter_readings
          where user_id = ${key.userId} and provider = ${key.provider} and fingerprint = ${key.fingerprint}
        )
      `.execute(tx);
    await keepReading(tx, key, reading);
  });
}
