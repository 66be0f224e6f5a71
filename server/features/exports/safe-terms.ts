import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { FROM_FILE, type Releases, readReleases } from '#server/leads/value-rights.ts';
import { type Export, isExported } from './exported-leads.ts';
import type { SafeTerms } from './safe-row.ts';

/** By what an export-safe file of a choice is made. */
export async function safeTerms(db: Db, listId: string, choice: Export['body']): Promise<SafeTerms> {
  const releases = await readReleases(db);
  return { releases, withApart: await mayHoldApart(db, listId, choice, releases) };
}

/** Whether values under the ODbL may stand in the file: only if all others that may be kept are under it too. */
async function mayHoldApart(db: Db, listId: string, choice: Export['body'], releases: Releases): Promise<boolean> {
  const apart = [...releases].flatMap(([name, rights]) => (rights.apart ? [name, `${FROM_FILE}${name}`] : []));
  if (apart.length === 0) return false;
  const { rows } = await sql<{ mixed: boolean }>`
    select exists (
      select from public.leads as lead
      where ${isExported(listId, choice)} and (
        exists (select from jsonb_each_text(lead.sources) as given where given.value <> all(${apart}))
        or coalesce(lead.email_call_id, lead.owner_call_id, lead.email_check_call_id) is not null or lead.extra <> '{}'
      )
    ) as mixed
  `.execute(db);
  return rows[0]?.mixed === false;
}
