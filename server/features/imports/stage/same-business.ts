import { type RawBuilder, sql } from 'kysely';

/** Rows of a file by what makes two of them one business: phone, email, or name with ZIP code. Columns: row, key. */
export const keyedRows = (importId: string): RawBuilder<unknown> => sql`
  select staged.row, key from app.import_rows as staged, unnest(staged.keys) as key
  where staged.import_id = ${importId}
    and (starts_with(key, 'phone:') or starts_with(key, 'email:') or starts_with(key, 'same:'))`;

/** The first row of each key that stands in several. Columns: key, first. */
export const firstRows: RawBuilder<unknown> = sql`
  select key, min(row) as first from keyed group by key having count(*) > 1`;

/**
 * Leads of someone's lists by the same keys. Columns: lead_id, created_at, listed_at, key.
 * - Invented leads are no one's duplicates, and must not be mixed with real ones.
 * - Archived lists are deleted soon: a row that is left out for a lead of theirs, or fills it, would be lost with it.
 */
export const keyedLeads = (userId: string): RawBuilder<unknown> => sql`
  select lead.id as lead_id, lead.created_at, list.created_at as listed_at,
    case when starts_with(key, 'company:')
      then 'same:' || substr(key, 9) || '@' || substring(lead.address from '.*\\m(\\d{5})\\M') else key end as key
  from public.leads as lead join public.lists as list on list.id = lead.list_id, unnest(lead.contact_keys) as key
  where list.user_id = ${userId} and list.sandbox is not true and list.lifecycle_status = 'active'
    and (starts_with(key, 'phone:') or starts_with(key, 'email:') or starts_with(key, 'company:'))`;
