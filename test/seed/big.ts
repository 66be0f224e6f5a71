import type { SeedLead } from './leads.ts';
import type { SeedList } from './write-lists.ts';

const LEADS = 10_000;

/** One list of 10,000 leads, far more than a search can bring, with everything known about each. */
export function bigLists(now: Date): SeedList[] {
  return [
    {
      key: 'big',
      list: {
        name: 'Ten thousand plumbers',
        status: 'completed',
        completeness: 65,
        tier1_complete: true,
        tier2_complete: true,
        compliance_checked: true,
        has_emails: true,
        has_contacts: true,
        compliance_cost_micros: 2_000_000,
        search_params: JSON.stringify({
          businessType: 'plumber',
          location: 'Springfield, IL',
          radius: '100',
          maxResults: '60',
        }),
        resolved_place: 'Springfield, IL',
        created_at: now,
      },
      leads: fullLeads(LEADS, now),
      runs: [],
    },
  ];
}

/** Leads on which everything was found. */
export function fullLeads(count: number, checkedAt: Date): SeedLead[] {
  return Array.from({ length: count }, (_, index) => ({
    business_name: `Harbour & Sons Plumbing No. ${index}`,
    address: `${index} Oak St, Springfield, IL 62701, USA`,
    phone: `+1 217-555-01${String(index % 100).padStart(2, '0')}`,
    website: `https://www.harbour-plumbing-${index}.example/`,
    email: `owner@harbour-plumbing-${index}.example`,
    email_confidence: index % 101,
    owner_name: 'Alex Harbour',
    owner_title: 'Founder & Owner',
    email_verified: index % 3 === 0,
    phone_type: 'landline',
    compliance_status: index % 20 === 0 ? 'dnc' : 'safe',
    compliance_checked_at: checkedAt,
    place_id: `seed-${index}`,
    latitude: 39.8 + index / 100_000,
    longitude: -89.6 - index / 100_000,
  }));
}
