import { sql } from 'kysely';
import type { RunKind } from '#contract/runs.ts';
import type { Usage, UsageYield } from '#contract/usage.ts';
import type { Db } from '#db/client.ts';
import type { Chosen } from './get-usage.ts';

type Row = { kind: RunKind; runs: number; asked: number; found: number; cost_micros: number };

/**
 * What the runs that began in a period have brought for what they cost. A run counts with its whole length, so that what it cost and
 * what it found are about the same calls. Of an enrichment that ended early only the leads that its websites done stand for were asked.
 */
export async function readYields(
  db: Db,
  { userId, sandbox, from, to }: Chosen,
): Promise<Pick<Usage, 'businesses' | 'emails' | 'phones'>> {
  const { rows } = await sql<Row>`
    with begun as (
      select id, kind, totals from app.runs
      where user_id = ${userId} and sandbox = ${sandbox}
        and created_at >= ${from}::date at time zone 'UTC' and created_at < (${to}::date + 1) at time zone 'UTC'
    ), cost as (
      select run_id, sum(cost_micros) as micros from app.ledger_days
      where user_id = ${userId} and sandbox = ${sandbox} and day >= ${from}::date group by run_id
    )
    select kind, count(*) as runs, coalesce(sum(cost.micros), 0)::bigint as cost_micros,
      coalesce(sum(case kind when 'search' then (totals ->> 'found')::numeric when 'compliance' then (totals ->> 'numbersDone')::numeric
        else round(((totals ->> 'leads')::numeric - coalesce((totals ->> 'withoutWebsite')::numeric, 0)
          - coalesce((totals ->> 'onSharedHost')::numeric, 0)) * (totals ->> 'domainsDone')::numeric
          / nullif((totals ->> 'domains')::numeric, 0)) end), 0)::bigint as asked,
      coalesce(sum(case kind when 'search' then (totals ->> 'kept')::numeric when 'compliance' then (totals ->> 'safe')::numeric
        else (totals ->> 'emailsAdded')::numeric end), 0)::bigint as found
    from begun left join cost on cost.run_id = begun.id group by kind
  `.execute(db);
  const of = (kind: RunKind): UsageYield => {
    const row = rows.find((one) => one.kind === kind);
    return { runs: row?.runs ?? 0, asked: row?.asked ?? 0, found: row?.found ?? 0, costMicros: row?.cost_micros ?? 0 };
  };
  return { businesses: of('search'), emails: of('enrichment'), phones: of('compliance') };
}
