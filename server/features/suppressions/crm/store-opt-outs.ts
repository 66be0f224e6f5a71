import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { addEntries, type NewEntry } from '#server/features/suppressions/add-entries.ts';
import { splitEntries } from '#server/features/suppressions/file/split-entries.ts';
import { tellHeldLeads } from '#server/features/suppressions/held-leads.ts';
import { readEntry } from '#server/features/suppressions/read-entry.ts';
import { leftOutText } from './left-out.ts';
import type { Pull } from './pull.ts';
import { keepConnection } from './pull-lease.ts';

/** A number or address from the CRM, as it stands there. It may be several. */
export type OptOut = { kind: 'phone' | 'email'; value: string; note: string };

/** Characters of the longest value that is read. */
const LONGEST = 320;

/** Suppresses what can be read of it, and counts that. What cannot be read is noted. */
export async function storeOptOuts(
  { db, evidence, from, brought, left, name }: Pull,
  optOuts: readonly OptOut[],
): Promise<void> {
  const entries: NewEntry[] = [];
  const unread: string[] = [];
  for (const { kind, value, note } of optOuts)
    for (const part of splitEntries(value).filter(Boolean)) {
      const entry = readEntry(kind, part.slice(0, LONGEST));
      if (entry.state === 'read') entries.push({ kind, value: entry.value, note });
      else unread.push(part);
    }
  const added = await db.transaction().execute(async (tx) => {
    await keepConnection(tx, from);
    if (entries.length === 0) return { keys: [], unread: [] };
    return addEntries(tx, evidence, entries, { source: 'crm', addedBy: null });
  });
  const { keys } = added;
  unread.push(...added.unread.flatMap((at) => entries[at]?.value ?? []));
  left.unread.push(...(await withoutErased(db, unread)));
  await tellHeldLeads(db, keys);
  brought.added += keys.length;
  brought.leftOut = leftOutText(name, left);
}

/** An erased contact is not written down again. It is held back for good. */
async function withoutErased(db: Db, texts: readonly string[]): Promise<string[]> {
  if (texts.length === 0) return [];
  const { rows } = await sql<{ text: string }>`
    select case when exists (select from app.contacts_in(array[one.text]) as found where app.is_erased(array[found.key]))
      then '[erased]' else one.text end as text
    from unnest(${texts}::text[]) with ordinality as one (text, place) order by one.place
  `.execute(db);
  return rows.map(({ text }) => text);
}
