import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { isChosen, type SettledChoice } from './chosen-leads.ts';

/** A lead that is in the other list already, and the one there that is the same business. */
export type Pair = { here: string; there: string };

/**
 * Finds those of the chosen leads whose business is in another list already, in the order of that list. It may be that of several here.
 * - It is known by its place id, or by the id of its place of open data. Where one of the two has no place id, by its phone
 *   number, or by domain and name.
 */
export async function pairSame(tx: Tx, from: string, to: string, choice: SettledChoice): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    with there as materialized (${keysOf(sql<boolean>`lead.list_id = ${to}`)}),
    here as materialized (${keysOf(isChosen(from, choice))}),
    pair as (
      select distinct on (same.here) same.here, same.there, same.position from (
        select here.id as here, there.id as there, here.position, 1 as how
        from here join there on there.place_id = here.place_id
        union all
        select here.id, there.id, here.position, 2 from here join there on there.open_id = here.open_id
        union all ${sameBy(['phone'], 3)}
        union all ${sameBy(['host', 'company'], 4)}
      ) as same order by same.here, same.how
    )
    select here, there from pair join there as one on one.id = pair.there order by one.position, pair.position
  `.execute(tx);
  return rows;
}

const keysOf = (which: RawBuilder<boolean>) => sql`
  select lead.id, lead.position, lead.place_id, lead.open_id, app.phone_key(lead.phone) as phone, app.host_key(lead.website) as host,
    app.company_key(lead.business_name) as company
  from public.leads as lead where ${which}`;

/** The first there with the same values: were all compared, a number that thousands share would take long. */
function sameBy(columns: readonly string[], how: number): RawBuilder<unknown> {
  const keys = sql.join(columns.map((column) => sql.ref(column)));
  const first = (which: RawBuilder<boolean>) => sql`
    (select distinct on (${keys}) id, ${keys} from there where ${which} order by ${keys}, position)`;
  const matches = sql.join(
    columns.map((column) => sql`${sql.ref(`one.${column}`)} = ${sql.ref(`here.${column}`)}`),
    sql` and `,
  );
  return sql`
    select here.id, one.id, here.position, ${how}::integer from here join ${first(sql<boolean>`true`)} as one on ${matches}
    where here.place_id is null
    union all
    select here.id, one.id, here.position, ${how}::integer
    from here join ${first(sql<boolean>`place_id is null`)} as one on ${matches}
    where here.place_id is not null`;
}
