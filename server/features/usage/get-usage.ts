import { type RawBuilder, sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import type { Usage, UsagePeriod, UsageSums } from '#contract/usage.ts';
import type { Db } from '#db/client.ts';
import type { Ctx } from '#server/http/context.ts';
import { chooseMoney } from './choose-money.ts';
import { readYields } from './read-yields.ts';
import { SUM_COLUMNS, type SumRow, toSums } from './sums.ts';

/** Lists that are named; the rest stand together. */
const LISTS = 10;

/** What the caller's paid calls of a period add up to. Read from the ledger's sums, never from its rows. */
export async function getUsage({ deps: { db }, user }: Ctx, period: UsagePeriod): Promise<Usage> {
  const { money, known } = await chooseMoney(db, user.userId, period.money);
  const chosen = { ...period, userId: user.userId, sandbox: money === 'sandbox' };
  const [sums, yields] = await Promise.all([readSums(db, chosen), readYields(db, chosen)]);
  return { money, known, ...sums, ...yields };
}

/** One kind of a user's money in a period. */
export type Chosen = Pick<UsagePeriod, 'from' | 'to'> & { userId: string; sandbox: boolean };

/** The ledger's days in a period, as a condition. */
export const inPeriod = ({ userId, sandbox, from, to }: Chosen): RawBuilder<boolean> =>
  sql`user_id = ${userId} and sandbox = ${sandbox} and day between ${from}::date and ${to}::date`;

type Row = SumRow & {
  part: 'all' | 'day' | 'provider' | 'list';
  day: string | null;
  provider: ProviderId | null;
  list_id: string | null;
  name: string | null;
};

async function readSums(db: Db, chosen: Chosen) {
  const { rows } = await sql<Row>`
    with period as (
      select day.*, run.list_id, case when run.list_id is null then run.list_name end as gone
      from (select * from app.ledger_days where ${inPeriod(chosen)}) as day join app.runs as run on run.id = day.run_id
    ), added as (
      select case grouping(day, provider, list_id) when 7 then 'all' when 5 then 'provider' when 1 then 'day' else 'list' end as part,
        day, provider, list_id, gone, ${SUM_COLUMNS}
      from period group by grouping sets ((), (provider), (day, provider), (list_id, gone))
    )
    select part, to_char(day, 'YYYY-MM-DD') as day, provider, list_id, coalesce(list.name, gone) as name, calls, failed, uncertain,
      cost_micros, uncertain_micros, recalled, saved_micros
    from added left join public.lists as list on list.id = added.list_id
    order by part, day, cost_micros desc, saved_micros desc, name, list_id
  `.execute(db);
  const of = (part: Row['part']) => rows.filter((row) => row.part === part);
  const lists = of('list');
  const others = lists.slice(LISTS);
  return {
    totals: addUp(of('all').map(toSums)),
    days: of('day').map((row) => ({ day: row.day ?? '', provider: providerOf(row), costMicros: row.cost_micros })),
    providers: of('provider').map((row) => ({ ...toSums(row), provider: providerOf(row) })),
    lists: lists
      .slice(0, LISTS)
      .map((row) => ({ ...toSums(row), listId: row.list_id, name: row.name ?? 'Deleted list' })),
    otherLists: others.length > 0 ? { ...addUp(others.map(toSums)), count: others.length } : null,
  };
}

const providerOf = ({ provider }: Row): ProviderId => provider ?? 'google_places';

const NOTHING: UsageSums = {
  ...{ calls: 0, failed: 0, uncertain: 0, recalled: 0 },
  ...{ costMicros: 0, uncertainMicros: 0, savedMicros: 0 },
};

const addUp = (all: readonly UsageSums[]): UsageSums =>
  all.reduce(
    (sum, one) => ({
      calls: sum.calls + one.calls,
      failed: sum.failed + one.failed,
      uncertain: sum.uncertain + one.uncertain,
      costMicros: sum.costMicros + one.costMicros,
      uncertainMicros: sum.uncertainMicros + one.uncertainMicros,
      recalled: sum.recalled + one.recalled,
      savedMicros: sum.savedMicros + one.savedMicros,
    }),
    NOTHING,
  );
