import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/**
 * Fills a database with people who have as many lists of as many leads each, all of them full, and reads its statistics. As its superuser,
 * past triggers and foreign keys: the rows are those that a year of searches would have left.
 */
export async function fill(db: Db, counts: { people: number; lists: number; leads: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      with person as (
        insert into auth.users (email) select 'filler-' || n || '@people.example' from generate_series(1, ${counts.people}) as n
        returning id, email
      )
      insert into app.profiles (user_id, email) select id, email from person`.execute(tx);
    await sql`
      insert into public.lists (user_id, name, status, lead_count, completeness, sandbox, created_at)
      select user_id, 'Plumbers in Springfield, IL', 'completed', ${counts.leads}, 65, false, now() - n * interval '1 day'
      from app.profiles cross join generate_series(1, ${counts.lists}) as n
      where email like 'filler-%'`.execute(tx);
    await sql`
      insert into public.leads (list_id, position, business_name, address, phone, website, email, email_confidence, owner_name,
        owner_title, phone_type, compliance_status, place_id, latitude, longitude)
      select list.id, n, 'Harbour & Sons Plumbing No. ' || n, n || ' Oak St, Springfield, IL 62701, USA', '+1 217-555-0100',
        'https://www.harbour-plumbing-' || n || '.example/', 'owner@harbour-plumbing-' || n || '.example', n % 101, 'Alex Harbour',
        'Founder & Owner', 'landline', 'safe', 'place-' || left(list.id::text, 18) || n, 39.8, -89.6
      from public.lists as list
      join app.profiles as profile on profile.user_id = list.user_id and profile.email like 'filler-%'
      cross join generate_series(0, ${counts.leads - 1}) as n`.execute(tx);
  });
  await sql`vacuum analyze`.execute(db);
}
