import { sql } from 'kysely';
import type { Usage, UsagePeriod } from '#contract/money/usage.ts';
import type { ProviderId } from '#contract/providers.ts';
import type { Db } from '#db/connection/client.ts';
import type { Ctx } from '#server/http/context.ts';
import { PLACE_RUNS_KEY } from '#server/runs/start/place-runs-key.ts';
import { chooseMoney } from './choose-money.ts';
import { type Chosen, inPeriod } from './chosen.ts';
import { readYields } from './read-yields.ts';
import { addUp, type SumRow, toSums, USAGE_SUMS } from './sums.ts';

/** Lists that are named. The rest are added up together. */
const LISTS = 10;

/**
 * Returns what the caller's paid calls of a period add up to.
 * It reads a few sums for each day, and never the ledger's rows.
 */
export async function getUsage({ deps: { db }, user }: Ctx, period: UsagePeriod): Promise<Usage> {
  const { money, known } = await chooseMoney(db, user.userId, period.money);
  const chosen = { ...period, userId: user.userId, sandbox: money === 'sandbox' };
  const [sums, yields] = await Promise.all([readSums(db, chosen), readYields(db, chosen)]);
  return { money, known, ...sums, ...yields };
}

type Row = SumRow & {
  part: 'day' | 'list' | 'other_lists';
  day: string | null;
  provider: ProviderId | null;
  list_id: string | null;
  name: string | null;
  lists: number;
};

async function readSums(db: Db, chosen: Chosen) {
  const { rows } = await sql<Row>`
    with added as (
      select list_key, (array_agg(list_name order by day desc))[1] as name, ${USAGE_SUMS},
        list_key <> ${PLACE_RUNS_KEY} as of_list,
        row_number() over (
          partition by list_key <> ${PLACE_RUNS_KEY} order by sum(cost_micros) desc, sum(saved_micros) desc, list_key
        ) as place
      from app.usage_lists where ${inPeriod(chosen)} group by list_key
    )
    select 'day' as part, to_char(day, 'YYYY-MM-DD') as day, provider, null as list_id, null as name, 0 as lists, ${USAGE_SUMS}, null as place
    from app.usage_days where ${inPeriod(chosen)} group by usage_days.day, provider
    union all
    select 'list', null, null, list.id, case when of_list then coalesce(list.name, added.name) end, 1, calls, failed, uncertain, cost_micros, uncertain_micros,
      recalled, saved_micros, place
    from added left join public.lists as list on list.id = added.list_key where place <= ${LISTS}
    union all
    select 'other_lists', null, null, null, null, count(*)::integer, ${USAGE_SUMS}, null from added where place > ${LISTS}
    order by day, provider, cost_micros desc, place
  `.execute(db);
  const of = (part: Row['part']) => rows.filter((row) => row.part === part);
  const days = of('day').map((row) => ({ ...toSums(row), day: row.day ?? '', provider: providerOf(row) }));
  const byProvider = Map.groupBy(days, ({ provider }) => provider);
  return {
    totals: addUp(days),
    days: days.map(({ day, provider, costMicros }) => ({ day, provider, costMicros })),
    providers: [...byProvider].map(([provider, sums]) => ({ ...addUp(sums), provider })),
    lists: of('list').map((row) => ({ ...toSums(row), listId: row.list_id, name: row.name })),
    otherLists:
      of('other_lists')
        .map((row) => ({ ...toSums(row), count: row.lists }))
        .find(({ count }) => count > 0) ?? null,
  };
}

const providerOf = ({ provider }: Row): ProviderId => provider ?? 'google_places';
