import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { isChosen, type SettledChoice } from './chosen-leads.ts';

/** A lead that is in the other list already, and the one there that is the same business. */
export type Pair = { here: string; there: string };

/**
 * Finds those of the chosen leads whose business is in another list already, in the order of that list. It may be that of several here.
 * - It is known by its place id, or by the id of its place of open data.
 * - Where one of the two has no place id, by its phone number, or by domain and name. Two places of open data with ids of their own
 *   count as the same by phone and name alone, as in a search: firms share numbers, and a chain has one domain and one name.
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
        union all ${sameBy(['phone', 'company'], 3, ['place_id'])}
        union all ${sameBy(['phone'], 4, ['place_id', 'open_id'])}
        union all ${sameBy(['host', 'company'], 5, ['place_id', 'open_id'])}
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

/** Which leads of either list are compared. */
type Case = { here: RawBuilder<boolean>; there: RawBuilder<boolean> };

/**
 * The first there with the same values: were all compared, a number that thousands share would take long.
 * - `ids`: of each of these, at most one of the two may have one. Two that differ are two businesses.
 */
function sameBy(columns: readonly string[], how: number, ids: readonly string[]): RawBuilder<unknown> {
  const keys = sql.join(columns.map((column) => sql.ref(column)));
  const matches = sql.join(
    columns.map((column) => sql`${sql.ref(`one.${column}`)} = ${sql.ref(`here.${column}`)}`),
    sql` and `,
  );
  const cases = ids.reduce<Case[]>(
    (all, id) =>
      all.flatMap(({ here, there }) => [
        { here: sql`${here} and ${sql.ref(`here.${id}`)} is null`, there },
        {
          here: sql`${here} and ${sql.ref(`here.${id}`)} is not null`,
          there: sql`${there} and ${sql.ref(id)} is null`,
        },
      ]),
    [{ here: sql`true`, there: sql`true` }],
  );
  return sql.join(
    cases.map(
      ({ here, there }) => sql`
        select here.id, one.id, here.position, ${how}::integer from here join (
          select distinct on (${keys}) id, ${keys} from there where ${there} order by ${keys}, position
        ) as one on ${matches}
        where ${here}`,
    ),
    sql` union all `,
  );
}
