import type { Db } from '#db/connection/client.ts';
import { buildListOf } from '#test/lists.ts';

const HARBOR = 'https://www.harbor-bakery.example';
const on = (page: string) => ({ page: `${HARBOR}/${page}` });
const visit = (more: object) =>
  JSON.stringify({ emails: [], phones: [], profiles: [], at: '2026-11-25T15:04:00.000Z', ...more });
const found = { email: 'hello@harbor-bakery.example', mail: 'accepts', ...on('contact') };

/** Businesses whose websites were visited, by name. */
const VISITED: Record<string, object> = {
  'Harbor Bakery': {
    email: found.email,
    sources: JSON.stringify({ email: 'website' }),
    site_visit: visit({
      status: 'found',
      email: found,
      emails: [found, { email: 'orders@harbor-bakery.example', mail: 'unknown', ...on('about-us/the-whole-team') }],
      phones: [{ phone: '+1 503-555-0142', ...on('contact') }],
      profiles: [
        { profile: 'https://www.facebook.com/harbor-bakery-example', ...on('') },
        { profile: 'https://www.instagram.com/harborbakeryexample', ...on('') },
      ],
    }),
  },
  'Careful Notary': {
    site_visit: visit({
      status: 'nothing',
      notice: {
        words: 'The addresses on this site may not be harvested, collected or passed on.',
        page: 'https://www.careful-notary.example/terms',
      },
      phones: [{ phone: '+1 503-555-0119', page: 'https://www.careful-notary.example/' }],
    }),
  },
  'Quiet Garage': { site_visit: visit({ status: 'refused_by_robots' }) },
  'Deaf Florist': {
    site_visit: visit({
      status: 'found',
      emails: [{ email: 'info@deaf-florist.example', mail: 'refuses', page: 'https://www.deaf-florist.example/' }],
    }),
  },
};

/** Makes a list of someone without keys, whose websites were visited. Returns its id. */
export function buildVisitedList(db: Db, userId: string): Promise<string> {
  const leads = Object.entries(VISITED).map(([business_name, lead], index) => ({
    business_name,
    website: `https://www.${business_name.toLowerCase().replace(' ', '-')}.example/`,
    phone: `+1 503-555-01${index}0`,
    address: `${index + 3} Quay St, Foxmere, OR 97101, USA`,
    ...lead,
  }));
  return buildListOf(db, userId, leads, { name: 'shops in Foxmere, OR', has_emails: true });
}
