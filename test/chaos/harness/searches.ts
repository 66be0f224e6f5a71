import type { BodyOf } from '#contract/endpoint.ts';
import { milesToMeters, searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { buildList } from '#test/lists.ts';
import type { Person, Site } from './site.ts';

/** All that a search asks for but the list that it is for. */
export type Asked = Omit<BodyOf<typeof searchLeadsEndpoint>, 'list_id'>;
/** A search for a list of someone. */
export type Search = { person: Person; listId: string; asked: Asked };

const TOWNS = ['Springfield, IL', 'Austin, TX', 'Phoenix, AZ', 'Columbus, OH', 'Denver, CO', 'Tampa, FL'];

/** The `index`-th trade in some town, which no one else searches for: 60 places on three pages, of which a smaller circle has a part. */
export const asked = (index: number, miles: number): Asked => ({
  query: `Chaos trade ${index}`,
  location: TOWNS[index % TOWNS.length] ?? '',
  radius: milesToMeters(miles),
  maxResults: 60,
});

/** A new list of someone with real data that waits for its search. */
export const buildSearch = async (site: Site, person: Person, what: Asked): Promise<Search> => ({
  person,
  listId: await buildList(site.db, person.id, { sandbox: false }),
  asked: what,
});

/** Presses “Start Search”, or Retry. Resolves when the run has ended well. */
export const pressSearch = ({ person, listId, asked }: Search): Promise<unknown> =>
  person.call(searchLeadsEndpoint, { ...asked, list_id: listId });

/**
 * The businesses of a list, each as a text, in an order of their own.
 * @throws when one stands there twice, or is not counted.
 */
export async function businessesOf({ db }: Site, listId: string): Promise<string[]> {
  const { lead_count } = await db
    .selectFrom('lists')
    .select('lead_count')
    .where('id', '=', listId)
    .executeTakeFirstOrThrow();
  const leads = await db
    .selectFrom('leads')
    .select(['place_id', 'business_name', 'phone', 'address', 'website'])
    .where('list_id', '=', listId)
    .execute();
  const places = new Set(leads.map((lead) => lead.place_id));
  if (places.size !== leads.length || lead_count !== leads.length)
    throw new Error(`${leads.length} leads are ${places.size} places, and counted as ${lead_count}.`);
  return leads.map((lead) => JSON.stringify(lead)).sort();
}
