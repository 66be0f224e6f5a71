import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { IS_SUPPRESSED } from './suppressed.ts';

/** Leads of a list, or of some of them by id, and the domains of their websites that are their own. */
type Meant = { listId: string; leadIds: readonly string[] | undefined; domains: readonly string[] };

/**
 * How many of a person's leads stand in another of their lists of the same kind of data as well.
 * - The same business: by its place id, its phone number, or the domain of its website.
 */
export async function countElsewhere(
  db: Db,
  { userId, sandbox }: { userId: string; sandbox: boolean },
  { listId, leadIds, domains }: Meant,
): Promise<number> {
  const own = domains.map((domain) => `domain:${domain}`);
  const { rows } = await sql<{ leads: number }>`
    with others as materialized (
      select id from public.lists where user_id = ${userId} and sandbox = ${sandbox} and id <> ${listId}
    ), wanted as materialized (
      select lead.id, key from public.leads as lead, unnest(lead.contact_keys) as key
      where (select exists (select from others)) and lead.list_id = ${listId}
        and ${leadIds ? sql`lead.id = any(${leadIds}::uuid[])` : sql`true`} and not ${IS_SUPPRESSED}
        and (key like 'business:%' or key like 'phone:%' or key = any(${own}::text[]))
    ), elsewhere as (
      select distinct key from others join public.leads as lead on lead.list_id = others.id, unnest(lead.contact_keys) as key
      where key in (select key from wanted)
    )
    select count(distinct wanted.id)::integer as leads from wanted join elsewhere using (key)
  `.execute(db);
  return rows[0]?.leads ?? 0;
}
