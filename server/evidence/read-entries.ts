import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { type Vault, VaultError } from '#db/sealed/vault.ts';
import { placeOfPart } from './evidence-vault.ts';
import type { StoredPart } from './part-subjects.ts';
import { NO_HEAD } from './read-head.ts';
import type { ProofEntry, ProofLink } from './verifier/verify.mjs';

/** Selects entries. `condition`: on app.evidence as `entry`. `subject`: only parts about it are opened. */
export type EntryScope = { condition: RawBuilder<boolean>; subject: Buffer | undefined };

/** Entries read at a time. Each has up to a thousand parts. */
const PAGE = 250;

type Row = Omit<ProofEntry, 'facts' | 'parts'> & {
  facts: string;
  parts_hash: string;
  parts: readonly SealedRow[] | null;
};
/** `subjects` and `is_told` only where they are asked for. */
type SealedRow = {
  hash: string;
  sealed: string | null;
  meant: boolean;
  subjects?: readonly string[];
  is_told?: boolean;
};

/** An entry, with its facts and the hash of its parts exactly as the database holds them, for the verifier. */
export type ReadEntry = Omit<ProofEntry, 'parts'> & {
  parts: readonly StoredPart[];
  stored: { facts: string; partsHash: string };
};

/** What stands beside a part: whom it is about, and whether the entry that tells of its erasure is there, or five years are over. */
const BESIDE = sql`, 'subjects', (
    select coalesce(jsonb_agg(encode(named.subject, 'hex') order by named.subject), '[]') from app.evidence_subjects as named
    where named.ticket = part.ticket and named.part = part.part),
  'is_told', case when part.sealed is null then entry.at < now() - interval '5 years' or exists (
    select from app.evidence as erasing where erasing.ticket = part.erased_by and erasing.kind = 'evidence.erased'
      and erasing.position > entry.position) end`;

/**
 * Reads the entries of a scope in the order of the chain, a page at a time, and opens the parts about its subject.
 * - `beside`: also reads what stands beside their parts, in the same snapshot.
 * - An altered bigint may not be a safe integer. As a float it still differs from the one that was hashed.
 */
export async function* readEntries(
  db: Db,
  vault: Vault,
  { condition, subject }: EntryScope,
  { beside = false }: { beside?: boolean } = {},
): AsyncGenerator<readonly ReadEntry[]> {
  const isMeant = subject
    ? sql`exists (select from app.evidence_subjects as named
        where named.subject = ${subject} and named.ticket = part.ticket and named.part = part.part)`
    : sql`true`;
  const page = async (after: number) => {
    const { rows } = await sql<Row>`
      select entry.position::float8 as position, entry.ticket::float8 as ticket, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
        entry.kind, entry.actor_id as actor, entry.list_id as list, entry.facts::text as facts,
        encode(entry.previous_hash, 'hex') as previous, coalesce(encode(skipped.hash, 'hex'), ${NO_HEAD.hash}) as skip,
        encode(entry.hash, 'hex') as hash, coalesce(encode(entry.parts_hash, 'hex'), '-') as parts_hash, (
          select jsonb_agg(jsonb_build_object('hash', encode(part.hash, 'hex'), 'sealed', part.sealed, 'meant', ${isMeant}${beside ? BESIDE : sql``})
            order by part.part)
          from app.evidence_parts as part where part.ticket = entry.ticket) as parts
      from app.evidence as entry left join app.evidence as skipped on skipped.position = app.evidence_skip(entry.position)
      where ${condition} and entry.position > ${after} order by entry.position limit ${PAGE}
    `.execute(db);
    return rows;
  };
  for (let reading: Promise<Row[]> | undefined = page(0); reading; ) {
    const rows: Row[] = await reading;
    const last = rows.at(-1);
    // The next ones are read while these are looked at.
    reading = last && rows.length === PAGE ? page(last.position) : undefined;
    reading?.catch(() => {}); // it is told in the next turn
    if (last)
      yield rows.map(({ parts, facts, parts_hash: partsHash, ...entry }) => ({
        ...entry,
        facts: JSON.parse(facts),
        stored: { facts, partsHash },
        parts: (parts ?? []).map((part) => openPart(vault, part)),
      }));
  }
}

/** A part that was altered has no text: the verifier names its entry. */
function openPart(
  vault: Vault,
  { hash, sealed, meant, subjects = [], is_told: isTold = false }: SealedRow,
): StoredPart {
  const part = { hash, subjects, isTold };
  if (sealed === null) return { ...part, state: 'erased', text: null };
  if (!meant) return { ...part, state: 'withheld', text: null };
  try {
    return { ...part, state: 'open', text: vault.open(sealed, placeOfPart(hash)) };
  } catch (error) {
    if (error instanceof VaultError) return { ...part, state: 'open', text: '' };
    throw error;
  }
}

/** The positions of a scope, in order, many at a time. */
export async function* readPositions(db: Db, { condition }: Pick<EntryScope, 'condition'>): AsyncGenerator<number[]> {
  const many = 5_000;
  for (let after = 0; ; ) {
    const { rows } = await sql<{ position: number }>`
      select entry.position from app.evidence as entry
      where ${condition} and entry.position > ${after} order by entry.position limit ${many}
    `.execute(db);
    if (rows.length > 0) yield rows.map(({ position }) => position);
    if (rows.length < many) return;
    after = rows.at(-1)?.position ?? after;
  }
}

/** Reads these entries without their contents, in order. */
export async function readLinks(db: Db, positions: readonly number[]): Promise<ProofLink[]> {
  const { rows } = await sql<ProofLink>`
    select entry.position, encode(entry.previous_hash, 'hex') as previous,
      coalesce(encode(skipped.hash, 'hex'), ${NO_HEAD.hash}) as skip,
      app.evidence_content_hash(entry.ticket, entry.at, entry.kind, entry.actor_id, entry.list_id, entry.facts,
        entry.parts_hash) as content
    from app.evidence as entry left join app.evidence as skipped on skipped.position = app.evidence_skip(entry.position)
    where entry.position = any(${positions}::bigint[]) order by entry.position
  `.execute(db);
  return rows;
}
