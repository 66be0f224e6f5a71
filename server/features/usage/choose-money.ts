import { sql } from 'kysely';
import { MONEY, type Money } from '#contract/money/usage.ts';
import type { Db } from '#db/connection/client.ts';

/** Returns which money to add up, and which kinds the user's ledger holds. Real money comes before the sandbox's. */
export async function chooseMoney(
  db: Db,
  userId: string,
  asked: Money | undefined,
): Promise<{ money: Money; known: Money[] }> {
  const { rows } = await sql<Record<Money, boolean>>`
    select exists (select from app.usage_days where user_id = ${userId} and not sandbox) as real,
      exists (select from app.usage_days where user_id = ${userId} and sandbox) as sandbox
  `.execute(db);
  const known = MONEY.filter((money) => rows[0]?.[money]);
  return { money: asked ?? known[0] ?? 'real', known };
}
