import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

const ERASED = '[erased]';
/** What may be an address or a number, as app.contacts_in reads a text. */
const CONTACTS = /[^\s<>(),;:"]+@[^\s<>(),;:"]+|[+(]?\d(?:[\s().\-/]{0,3}\d){6,17}/g;

/**
 * What people write, with “[erased]” in place of each number and address that was erased: a note must not bring back who is gone.
 * The rest stays. Where a contact cannot be told from what stands beside it, nothing of that text does.
 */
export async function withoutErased(db: Db | Tx, texts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from app.erased_contacts) as any`.execute(db);
  if (!rows[0]?.any) return [...texts];
  const contacts = [...new Set(texts.flatMap((text) => text.match(CONTACTS) ?? []))];
  const named = await naming(db, contacts);
  const gone = new Set(contacts.filter((_, at) => named.has(at)));
  const cleaned = texts.map((text) => text.replaceAll(CONTACTS, (one) => (gone.has(one) ? ERASED : one)));
  const left = await naming(db, cleaned);
  // A column has room for the text as it was.
  return cleaned.map((text, at) => (left.has(at) || text.length > (texts[at]?.length ?? 0) ? ERASED : text));
}

/** Places of the texts that name someone who was erased. */
async function naming(db: Db | Tx, texts: readonly string[]): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`
    select distinct found.place::integer - 1 as place from app.contacts_in(${texts}::text[]) as found
    where found.key is not null and app.is_erased(array[found.key])
  `.execute(db);
  return new Set(rows.map(({ place }) => place));
}
