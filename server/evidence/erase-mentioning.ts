import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { type Vault, VaultError } from '#db/sealed/vault.ts';
import type { EvidenceEntry } from './evidence-entry.ts';
import { placeOfPart } from './evidence-vault.ts';

/** Entries with words that people wrote. What administrators say of calling rules is kept. */
const WITH_WORDS: EvidenceEntry['kind'][] = ['call.logged', 'suppression.added', 'suppression.removed', 'export.begun'];
/** Entries looked through at a time. */
const AT_ONCE = 2_000;

type Part = { position: number; ticket: string; part: number; hash: string; sealed: string };

/**
 * Destroys sealed parts about someone else whose words mention a contact. Returns how many. The database tells of it in the chain.
 * - `pattern`: finds the contact, for PostgreSQL's `~*`. Parts are sealed, so all that may have words are opened.
 */
export async function eraseMentioning(
  db: Db,
  vault: Vault,
  { actor, pattern }: { actor: string | null; pattern: string },
): Promise<number> {
  let erased = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { parts, last } = await readParts(db, after);
    erased += await eraseSome(
      db,
      { actor, pattern },
      parts.flatMap((part) => opened(vault, part)),
    );
    after = last;
  }
  return erased;
}

async function readParts(db: Db, after: number): Promise<{ parts: Part[]; last: number | undefined }> {
  const { rows } = await sql<Part & { last: number }>`
    with page as materialized (
      select position, ticket from app.evidence where position > ${after} and kind = any(${WITH_WORDS}) order by position limit ${AT_ONCE}
    )
    select page.ticket::text as ticket, part.part, encode(part.hash, 'hex') as hash, part.sealed,
      (select max(position) from page)::float8 as last
    from page left join app.evidence_parts as part on part.ticket = page.ticket and part.sealed is not null
  `.execute(db);
  return { parts: rows.filter(({ sealed }) => sealed !== null), last: rows[0]?.last };
}

type Opened = { ticket: string; part: number; text: string };

/** A part that was altered says nothing. */
function opened(vault: Vault, { ticket, part, hash, sealed }: Part): Opened[] {
  try {
    return [{ ticket, part, text: vault.open(sealed, placeOfPart(hash)) }];
  } catch (error) {
    if (error instanceof VaultError) return [];
    throw error;
  }
}

async function eraseSome(
  db: Db,
  { actor, pattern }: { actor: string | null; pattern: string },
  parts: readonly Opened[],
): Promise<number> {
  const { rows } = await sql<{ place: number }>`
    select place::integer - 1 as place from unnest(${parts.map(({ text }) => text)}::text[]) with ordinality as one (text, place)
    where text ~* ${pattern}
  `.execute(db);
  const meant = rows.flatMap(({ place }) => parts[place] ?? []);
  if (meant.length === 0) return 0;
  await sql`
    select app.erase_evidence_parts(${actor}::uuid, ${meant.map(({ ticket }) => ticket)}::bigint[], ${meant.map(({ part }) => part)}::integer[])
  `.execute(db);
  return meant.length;
}
