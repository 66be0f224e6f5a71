import { sql } from 'kysely';
import { type BudgetNotice, MAILED_PERCENTS } from '#contract/money/budgets.ts';
import { thisMonth } from '#server/budgets/read-budgets.ts';
import type { Deps } from '#server/deps.ts';
import { noticeMail } from './notice-mail.ts';

type Due = BudgetNotice & { user_id: string; email: string; limit_micros: number; spent_micros: number };
type NoticeDeps = Pick<Deps, 'db' | 'sendMail' | 'siteUrl' | 'log'>;

/** Mails everyone who has spent 80 or 100 % of a month's budget, once of each. Whom a mail cannot reach is tried again. */
export async function mailNotices(deps: NoticeDeps): Promise<void> {
  for (const due of await readDue(deps.db)) {
    await mail(deps, due).catch((error: unknown) =>
      deps.log.warn({ err: error, userId: due.user_id }, 'a budget notice could not be emailed'),
    );
  }
}

/** The highest share of each budget that was reached and not mailed of. */
async function readDue(db: Deps['db']): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with held as (
      select user_id, budget, min(limit_micros) as limit_micros from app.budgets where budget <> 'run' group by user_id, budget
    ), spent as (
      select user_id, coalesce(provider, 'month') as budget, sandbox, sum(cost_micros)::bigint as spent_micros
      from (
        select user_id, provider, sandbox, cost_micros from app.usage_days where day >= ${thisMonth}
        union all
        select user_id, provider, sandbox, spent_micros from app.earlier_spending where month = ${thisMonth}
      ) as parts
      where user_id in (select user_id from held)
      group by grouping sets ((user_id, sandbox), (user_id, sandbox, provider))
    )
    select distinct on (user_id, budget, sandbox) user_id, email, budget, sandbox, percent, limit_micros, spent_micros
    from held join spent using (user_id, budget) join app.profiles using (user_id)
      cross join unnest(${[...MAILED_PERCENTS]}::integer[]) as percent
    where limit_micros > 0 and spent_micros * 100 >= limit_micros * percent and not exists (
      select from app.budget_notices as told
      where told.user_id = held.user_id and told.month = ${thisMonth} and told.budget = held.budget
        and told.sandbox = spent.sandbox and told.percent >= percent.percent and told.mailed_at is not null)
    order by user_id, budget, sandbox, percent desc
  `.execute(db);
  return rows;
}

/** Sent before it is noted for good: a process that dies in between mails again, rather than not at all. */
async function mail({ db, sendMail, siteUrl }: NoticeDeps, due: Due): Promise<void> {
  const { user_id: userId, email, budget, sandbox, percent } = due;
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      insert into app.budget_notices as told (user_id, month, budget, sandbox, percent, mailed_at)
      values (${userId}, ${thisMonth}, ${budget}, ${sandbox}, ${percent}, now())
      on conflict (user_id, month, budget, sandbox, percent) do update set mailed_at = excluded.mailed_at
      where told.mailed_at is null
      returning user_id
    `.execute(tx);
    if (rows.length > 0)
      await sendMail({
        to: email,
        ...noticeMail({ ...due, limitMicros: due.limit_micros, spentMicros: due.spent_micros, siteUrl }),
      });
  });
}
