import { sql } from 'kysely';
import type { Ctx } from '#server/http/context.ts';

/**
 * Returns all accounts by address, as the JSON of the contract's `data`.
 * - At 10,000 accounts, reading rows and writing them again would take the process ten times as long.
 * - What the CRM says of them is what the gate last heard. It is not asked here.
 */
export async function listUsers({ deps }: Ctx): Promise<string> {
  const { rows } = await sql<{ items: string | null }>`
    select string_agg(
      json_build_object(
        'id', user_id,
        'email', email,
        'role', role,
        'status', status,
        'last_sign_in_at', to_char(last_sign_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'second_step', user_id in (select app.people_with_second_step()),
        'keap_tag_status', crm_access
      )::text,
      ',' order by email collate "C"
    ) as items
    from app.profiles`.execute(deps.db);
  return `{"items":[${rows[0]?.items ?? ''}]}`;
}
