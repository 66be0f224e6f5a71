import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { isUuid } from '#server/runs/rows.ts';

/** A number as calls to it are logged, in E.164. `id` and `listId`: its lead and list, null once they are gone. */
export type CalledNumber = { id: string | null; listId: string | null; number: string; sandbox: boolean };
/** A lead as calls to it are logged. */
export type CalledLead = CalledNumber & { id: string; listId: string };

/** The number of a lead in one spelling; null for text that is none. In queries with public.leads as `lead`. */
export const NUMBER: RawBuilder<string | null> = sql`(
  case when starts_with(lead.contact_keys[1], 'phone:') then substr(lead.contact_keys[1], 7) end)`;

/**
 * One of the caller's leads.
 * @throws NOT_FOUND, and VALIDATION_FAILED for one without a number.
 */
export async function ownLead(db: Db, userId: string, leadId: string): Promise<CalledLead> {
  const { rows } = await sql<Omit<CalledLead, 'number'> & { number: string | null }>`
    select lead.id, lead.list_id as "listId", ${NUMBER} as number, coalesce(list.sandbox, false) as sandbox
    from public.leads as lead join public.lists as list on list.id = lead.list_id
    where lead.id = ${isUuid(leadId) ? leadId : null}::uuid and list.user_id = ${userId}
  `.execute(db);
  const [lead] = rows;
  if (!lead) throw notFound('This lead');
  const { number, ...rest } = lead;
  if (number === null) throw new AppError('VALIDATION_FAILED', 'This lead has no phone number.');
  return { ...rest, number };
}
