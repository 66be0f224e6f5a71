import { sql } from 'kysely';
import type { Usage, UsageYield } from '#contract/money/usage.ts';
import type { RunKind } from '#contract/work/runs.ts';
import type { Db } from '#db/connection/client.ts';
import type { Chosen } from './chosen.ts';

type Row = { kind: RunKind | 'verification'; runs: number; asked: number; found: number; cost_micros: number };

/**
 * Returns what the runs that began in a period have brought for what they cost. Refused work never began.
 * - A run counts as a whole, so that its cost and its results come from the same calls.
 * - Look-ups of places before a search count with the searches.
 * - Finding emails and verifying them are counted apart.
 */
export async function readYields(
  db: Db,
  { userId, sandbox, from, to }: Chosen,
): Promise<Pick<Usage, 'businesses' | 'emails' | 'verifications' | 'phones'>> {
  const { rows } = await sql<Row>`
    with run as not materialized (
      select * from app.runs
      where user_id = ${userId} and sandbox = ${sandbox}
        and not (state = 'failed' and started_at is null)
        and created_at >= ${from}::date at time zone 'UTC' and created_at < (${to}::date + 1) at time zone 'UTC'
    ), begun as (
      select kind, count(*) as runs, coalesce(sum(asked), 0) as asked, coalesce(sum(found), 0) as found
      from run where kind <> 'enrichment' or input -> 'steps' is distinct from '["verifier"]' group by kind
      union all
      select 'verification', count(*), coalesce(sum((totals ->> 'emailsToVerify')::integer), 0),
        coalesce(sum((totals ->> 'emailsVerified')::integer - (totals ->> 'emailsPending')::integer), 0)
      from run where kind = 'enrichment' and input -> 'steps' ? 'verifier'
    ), verified as (
      select coalesce(sum(day.cost_micros), 0)::bigint as cost_micros
      from app.ledger_days as day join app.runs as run on run.id = day.run_id
      where day.user_id = ${userId} and day.sandbox = ${sandbox} and day.operation = 'email_verify' and day.day >= ${from}::date
        and run.created_at >= ${from}::date at time zone 'UTC' and run.created_at < (${to}::date + 1) at time zone 'UTC'
    ), cost as (
      select case provider when 'google_places' then 'search' when 'hunter_io' then 'enrichment' else 'compliance' end as kind,
        sum(cost_micros)::bigint - case provider when 'hunter_io' then (select cost_micros from verified) else 0 end as cost_micros
      from app.usage_days
      where user_id = ${userId} and sandbox = ${sandbox} and day >= ${from}::date and begun between ${from}::date and ${to}::date
      group by provider
      union all
      select 'verification', cost_micros from verified
    )
    select kind, runs, asked, found, coalesce(cost_micros, 0) as cost_micros from begun left join cost using (kind)
  `.execute(db);
  const of = (kind: Row['kind']): UsageYield => {
    const row = rows.find((one) => one.kind === kind);
    return { runs: row?.runs ?? 0, asked: row?.asked ?? 0, found: row?.found ?? 0, costMicros: row?.cost_micros ?? 0 };
  };
  return {
    businesses: of('search'),
    emails: of('enrichment'),
    verifications: of('verification'),
    phones: of('compliance'),
  };
}
