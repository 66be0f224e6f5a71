import { sql } from 'kysely';
import { EMAIL_CHECK_DAYS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { idsOf } from '#server/leads/ids-of.ts';
import { inParts } from '#server/leads/in-parts.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';

/** Whether the email of a lead has to be verified, in a query where public.leads is called `lead`. */
const IS_TO_VERIFY = sql<boolean>`(
  btrim(lead.email) <> '' and (lead.email_status is null or lead.email_checked_at is null or
    lead.email_checked_at < now() - make_interval(days => ${EMAIL_CHECK_DAYS}::integer)))`;

/**
 * Lead ids by the email that has to be verified, in lower case. `leadIds`: only these leads.
 * - `suppressed`: emails that are left out, because every lead that has one is on the suppression list.
 */
export async function emailsToVerify(
  db: Db | Tx,
  listId: string,
  leadIds?: readonly string[],
): Promise<{ leadsOf: Map<string, string[]>; suppressed: number }> {
  const parts = inParts(async ({ behind, most }) => {
    const { rows } = await sql<{ id: string; position: number; email: string; held: boolean }>`
      select lead.id, lead.position, lower(btrim(lead.email)) as email, ${IS_SUPPRESSED} as held
      from public.leads as lead
      where lead.list_id = ${listId} and ${leadIds ? sql`lead.id = any(${leadIds}::uuid[])` : sql`true`} and ${behind}
        and ${IS_TO_VERIFY}
      order by lead.position limit ${most}
    `.execute(db);
    return rows;
  }, leadIds);
  const leadsOf = new Map<string, string[]>();
  const held = new Set<string>();
  for await (const rows of parts)
    for (const row of rows) {
      if (row.held) held.add(row.email);
      else idsOf(leadsOf, row.email).push(row.id);
    }
  return { leadsOf, suppressed: [...held].filter((email) => !leadsOf.has(email)).length };
}
