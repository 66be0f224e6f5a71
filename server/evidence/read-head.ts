import { sql } from 'kysely';
import type { ChainHead } from '#contract/calling/evidence.ts';
import type { Db } from '#db/connection/client.ts';

/** What the chain begins with. */
export const NO_HEAD: ChainHead = { position: 0, hash: '0'.repeat(64), at: null };

/** Reads the last entry of the chain, or the last one before a moment (ISO time). */
export async function readHead(db: Db, before?: string): Promise<ChainHead> {
  const { rows } = await sql<{ position: number; hash: string; at: Date }>`
    select entry.position::float8 as position, encode(entry.hash, 'hex') as hash, entry.at from app.evidence as entry
    where ${before === undefined ? sql`true` : sql`entry.at < ${before}::timestamptz`}
    order by ${before === undefined ? sql`entry.position` : sql`entry.at desc, entry.position`} desc limit 1
  `.execute(db);
  const [head] = rows;
  return head ? { ...head, at: head.at.toISOString() } : NO_HEAD;
}
