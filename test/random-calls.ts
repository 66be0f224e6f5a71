import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { buildList } from './lists.ts';

/**
 * A real list of leads with every history that a number can have: checked or not, long ago, suppressed, abroad, without an address.
 * - A third are clean and recent. `suppressed`: what share of the numbers is on the suppression list, one in so many.
 */
export async function buildRandomCalls(
  db: Db,
  userId: string,
  count: number,
  { suppressed = 10 }: { suppressed?: number } = {},
): Promise<string> {
  const listId = await buildList(db, userId, { status: 'completed', sandbox: false, lead_count: count });
  await sql`
    insert into public.leads (list_id, position, business_name, phone, address, phone_type, compliance_status,
      compliance_checked_at, email)
    select ${listId}::uuid, number, 'Business ' || number,
      case number % 23 when 0 then null when 1 then '+44 20 7946 0' || lpad((number % 1000)::text, 3, '0')
        when 2 then '+1 416-555-' || lpad((number % 10000)::text, 4, '0')
        else '+1 ' || (array['217', '305', '850', '915', '602', '973', '808', '907', '212', '717', '800'])[1 + number % 11]
          || '-' || 200 + (number / 10000) % 800 || '-' || lpad((number % 10000)::text, 4, '0') end,
      case number % 19 when 0 then null when 1 then '1 Invented Street'
        else number || ' Invented Street, ' || (array['Springfield, IL 62701', 'Miami, FL 33101', 'Pensacola, FL 32501',
          'El Paso, TX 79901', 'Austin, TX', 'Phoenix, AZ 85003', 'Newark, NJ 07102', 'Honolulu, HI 96813',
          'Harrisburg, PA 17101', 'Des Moines, IA 50309', 'New York, NY 10001', 'Springfield, TX 62701',
          'Seattle, WA 98101'])[1 + number % 13] || ', USA' end,
      (array['landline', 'mobile', 'voip', null])[1 + number % 4],
      (array['safe', 'safe', 'safe', 'dnc', 'litigator', 'not_checked'])[1 + number % 6],
      case number % 5 when 0 then null when 1 then now() - interval '40 days' else now() - interval '1 hour' * (number % 700) end,
      case number % 3 when 0 then 'person' || number || '@business' || number % 97 || '.example' end
    from generate_series(0, ${count - 1}::integer) as number
  `.execute(db);
  await sql`
    insert into app.suppressions (kind, key, source)
    select distinct 'phone', lead.contact_keys[1], 'hand' from public.leads as lead
    where lead.list_id = ${listId} and lead.position % ${suppressed} = 7 and starts_with(lead.contact_keys[1], 'phone:')
    on conflict do nothing
  `.execute(db);
  await sql`analyze public.leads, app.suppressions`.execute(db);
  return listId;
}

/** Positions of leads that nothing may ever call callable, found without a line of the code that judges them. */
export async function neverCallable(db: Db, listId: string): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ position: number }>`
    select lead.position from public.leads as lead
    where lead.list_id = ${listId} and (
      lead.compliance_status = 'safe' and lead.compliance_checked_at > now() - interval '31 days'
      and coalesce(lead.phone, '') like '+1 %' and lead.phone not like '+1 416%'
      and coalesce(lead.address, '') ~ ', [A-Z]{2}( [0-9]{5})?, USA$'
      and lead.address !~ ', IA |TX 62701'
      and not (lead.address ~ ', (AZ|NJ) ' and lead.phone_type is distinct from 'landline')
      and not exists (select from app.suppressions as entry where entry.key = any(lead.contact_keys))
    ) is not true
  `.execute(db);
  return new Set(rows.map(({ position }) => position));
}
