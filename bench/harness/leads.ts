import type { Db } from '#db/client.ts';

/** Fills a list with leads on which everything was found. */
export async function fullLeads(db: Db, listId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, position) => ({
    list_id: listId,
    position,
    business_name: `Harbour & Sons Plumbing No. ${position}`,
    address: `${position} Oak St, Springfield, IL 62701, USA`,
    phone: `+1 217-555-01${String(position % 100).padStart(2, '0')}`,
    website: `https://www.harbour-plumbing-${position}.example/`,
    email: `owner@harbour-plumbing-${position}.example`,
    email_confidence: position % 101,
    owner_name: 'Alex Harbour',
    owner_title: 'Founder & Owner',
    email_verified: true,
    phone_type: 'landline',
    compliance_status: 'safe',
    compliance_checked_at: new Date(),
    place_id: `bench-${listId}-${position}`,
    latitude: 39.8 + position / 100_000,
    longitude: -89.6 - position / 100_000,
  }));
  // PostgreSQL takes at most 65,535 parameters in one statement.
  for (let from = 0; from < count; from += 2_000)
    await db
      .insertInto('leads')
      .values(rows.slice(from, from + 2_000))
      .execute();
}
