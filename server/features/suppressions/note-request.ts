import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { recordSuppressions } from '#server/evidence/record-suppressions.ts';

/** `askedAt`: where it was before now. `source`: how they said so. `actor`: who wrote it down. */
type Asked = {
  key: string;
  askedAt?: Date | undefined;
  source: 'public' | 'call';
  actor: string | null;
  note?: string;
};

/**
 * Notes that the contact of an entry asked to be left alone. Of several requests the first counts; one after the entry counts no more.
 * - An entry that others had added is the contact's own from now on: who removes it must see that they asked.
 */
export async function noteRequest(
  tx: Tx,
  evidence: Vault,
  { key, askedAt, source, actor, note }: Asked,
): Promise<void> {
  if (askedAt)
    await sql`
      update app.suppressions set asked_at = ${askedAt} where key = ${key} and ${askedAt} < coalesce(asked_at, added_at)
    `.execute(tx);
  // What they confirmed themselves says more than what a caller heard.
  const weaker = source === 'public' ? ['hand', 'file', 'crm', 'call'] : ['hand', 'file', 'crm'];
  const { rows } = await sql`
    update app.suppressions set source = ${source}, note = coalesce(note, ${note ?? null})
    where key = ${key} and source = any(${weaker})
    returning id
  `.execute(tx);
  if (rows.length > 0) await recordSuppressions(tx, evidence, [key], { actor, source, note });
}
