import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { isUuid } from '#server/runs/rows.ts';
import type { CalledNumber } from './called-lead.ts';

/**
 * What was called as a lead that is gone by now, or has another number. Undefined where nothing shows that this person ever had that
 * number: no real list, call or evidence.
 */
export async function formerLead(
  tx: Tx,
  evidence: Vault,
  userId: string,
  { leadId, number }: { leadId: string; number: string },
): Promise<CalledNumber | undefined> {
  const { rows } = await sql<{ id: string; listId: string }>`
    select lead.id, lead.list_id as "listId"
    from public.leads as lead join public.lists as list on list.id = lead.list_id
    where list.user_id = ${userId} and not coalesce(list.sandbox, false)
      and lead.contact_keys @> array['phone:' || ${number}::text] and lead.contact_keys[1] = 'phone:' || ${number}::text
    order by lead.created_at desc limit 1
  `.execute(tx);
  const [lead] = rows;
  if (lead) return { ...lead, number, sandbox: false };
  const known = await listOfFormer(tx, evidence, userId, { id: isUuid(leadId) ? leadId : null, number });
  return known && { id: null, listId: known.listId, number, sandbox: false };
}

/** The list, null once it is gone, from which someone called a number, or was shown the lead with it; undefined where neither is known. */
async function listOfFormer(
  tx: Tx,
  evidence: Vault,
  userId: string,
  { id, number }: { id: string | null; number: string },
): Promise<{ listId: string | null } | undefined> {
  const subject = Buffer.from(evidence.fingerprint(`phone:${number}`), 'hex');
  const { rows } = await sql<{ listId: string | null }>`
    select list.id as "listId" from (
      select call.list_id, call.called_at as at from app.calls as call
      where call.phone = ${number} and call.user_id = ${userId} and not call.sandbox
      union all
      select entry.list_id, entry.at
      from app.evidence_subjects as named join app.evidence as entry on entry.ticket = named.ticket
      where named.subject = ${subject} and entry.actor_id = ${userId} and not (entry.facts ->> 'sandbox')::boolean and (
        (entry.kind = 'verdict.given' and entry.facts ->> 'lead' = ${id})
        or (entry.kind = 'verdict.shown' and entry.facts::jsonb @> jsonb_build_object('said',
          jsonb_build_array(jsonb_build_object('leads', jsonb_build_array(${id}::text))))))
    ) as known left join public.lists as list on list.id = known.list_id and list.user_id = ${userId}
    order by list.id is null, known.at desc limit 1
  `.execute(tx);
  return rows[0];
}
