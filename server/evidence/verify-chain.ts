import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { faultBesidePart } from './part-subjects.ts';
import { type ReadEntry, readEntries } from './read-entries.ts';
import { readHead } from './read-head.ts';
import { contentHashOf, createChainCheck, type Fault, faultOfEntry, lineOf, partsHashOf } from './verifier/verify.mjs';

/** What became of the whole chain. */
export type ChainVerdict = { ok: true; entries: number } | ({ ok: false } & Fault);

/**
 * Checks every entry of the chain and every sealed part that is left, as a pack's verifier does. Finds gaps as well, and what is not as it
 * was beside the parts: whom they are about, and which were destroyed.
 * - `from`: the first entry to check; what comes before it is taken as it stands.
 * - `wanted`: a hash from elsewhere, such as a mail or an export's companion, that an entry must have.
 */
export async function verifyChain(
  db: Db,
  vault: Vault,
  { from = 1, wanted }: { from?: number; wanted?: string | undefined } = {},
): Promise<ChainVerdict> {
  const head = await readHead(db);
  if (from > 1 && from > head.position) return { ok: false, position: from, why: 'it is missing' };
  const chain = createChainCheck();
  const all = { condition: sql<boolean>`entry.position between ${from} and ${head.position}`, subject: undefined };
  let last = from - 1;
  let hasWanted = wanted === undefined;
  for await (const page of readEntries(db, vault, all, { beside: true }))
    for (const { stored, ...entry } of page) {
      const fault = (why: string | undefined) => (why === undefined ? undefined : { position: entry.position, why });
      const wrong =
        fault(entry.position === last + 1 ? undefined : `entry ${last + 1} is missing before it`) ??
        fault(JSON.stringify(entry.facts) === stored.facts ? undefined : 'its text was changed') ??
        fault(partsHashOf(entry.parts) === stored.partsHash ? undefined : 'its sealed parts are not those it had') ??
        fault(faultOfEntry(entry, lineOf(entry))) ??
        chain.add({ ...entry, content: contentHashOf(entry) }) ??
        fault(entry.parts.map((part) => faultBesidePart(vault, part)).find((why) => why !== undefined)) ??
        fault(entry.kind === 'evidence.erased' ? await faultOfErasure(db, entry) : undefined);
      if (wrong) return { ok: false, ...wrong };
      hasWanted ||= entry.hash === wanted;
      last = entry.position;
    }
  const wrong = chain.end(head) ?? (await faultBehind(db, last, hasWanted ? undefined : wanted));
  return wrong ? { ok: false, ...wrong } : { ok: true, entries: last - from + 1 };
}

/** An erasure names what it destroyed. Those from before that are told of by one entry for all of them. */
async function faultOfErasure(
  db: Db,
  { ticket, facts }: Pick<ReadEntry, 'ticket' | 'facts'>,
): Promise<string | undefined> {
  if (typeof facts !== 'object' || facts === null || !('hashes' in facts)) return undefined;
  const { rows } = await sql<{ hashes: string | null }>`
    select encode(sha256(convert_to(string_agg(encode(hash, 'hex'), E'\n' order by hash), 'UTF8')), 'hex') as hashes
    from app.evidence_parts where erased_by = ${ticket}
  `.execute(db);
  return rows[0]?.hashes === facts.hashes ? undefined : 'what was destroyed is not what it tells of';
}

/** What shows that entries behind the last one were cut off: a hash that someone holds, or sealed parts that no entry has. */
async function faultBehind(db: Db, last: number, wanted: string | undefined): Promise<Fault | undefined> {
  if (wanted !== undefined)
    return {
      position: last + 1,
      why: `no entry before it has the hash ${wanted}: it was cut off, or one before it was rewritten`,
    };
  const { rows } = await sql`
    select from app.evidence_parts as part
    where part.ticket > (select coalesce(min(ticket), 0) from (select ticket from app.evidence order by position desc limit 1000) as late)
      and not exists (select from app.evidence as entry where entry.ticket = part.ticket)
    limit 1
  `.execute(db);
  return rows.length > 0 ? { position: last + 1, why: 'it was cut off, and left a sealed part behind' } : undefined;
}
