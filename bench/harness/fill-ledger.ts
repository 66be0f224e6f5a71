import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

const CALLS_AT_ONCE = 50_000;

export type LedgerFill = {
  userId: string;
  runs: number;
  calls: number;
  /** Over how many days, up to now, the runs have begun. */
  days: number;
  /** The lists that the runs belong to, in turn. None: each third run is of a list of its own that is gone. */
  listIds?: readonly string[];
};

/**
 * Adds runs of all kinds that have ended, and their calls, evenly. Foreign keys are not checked and triggers do not fire, which would
 * take several times as long; the ledger's sums are added by the functions that the triggers call.
 */
export async function fillLedger(db: Db, { userId, runs, calls, days, listIds = [] }: LedgerFill): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    const { rows } = await sql<{ ids: string[] }>`
      with added as (
        insert into app.runs (user_id, list_id, list_key, list_name, kind, state, input, totals, sandbox, created_at, started_at, finished_at)
        select ${userId}, list_id, coalesce(list_id, md5((n / 3)::text)::uuid), 'List ' || n / 3,
          (array['search', 'enrichment', 'compliance'])[1 + n % 3], 'completed', '{}',
          (array['{"requested": 60, "found": 60, "kept": 50}',
            '{"leads": 120, "domains": 100, "domainsDone": 100, "emailsAdded": 60}',
            '{"leads": 100, "numbers": 100, "numbersDone": 100, "safe": 80}'])[1 + n % 3]::jsonb, false, at, at, at
        from generate_series(1, ${runs}::integer) as n,
          lateral (select now() - n * ${days}::integer * interval '1 day' / ${runs}::integer as at,
            (${listIds}::uuid[])[1 + n % greatest(1, ${listIds.length}::integer)] as list_id) as chosen
        returning id
      )
      select array_agg(id) as ids from added
    `.execute(tx);
    const ids = rows[0]?.ids ?? [];
    for (let from = 0; from < calls; from += CALLS_AT_ONCE)
      await sql`
        with added as (
          insert into app.paid_calls (idempotency_key, run_id, user_id, provider, operation, subject, state, estimate_micros,
            cost_micros, attempts, sandbox, planned_at, sent_at, settled_at)
          select run.id || ' ' || n, run.id, ${userId}, provider, operation, n || '.example', 'answered', 50000, 50000 * (n % 2), 1,
            false, run.created_at, run.created_at, run.created_at
          from generate_series(${from}::integer + 1, ${Math.min(from + CALLS_AT_ONCE, calls)}::integer) as n
            join unnest(${ids}::uuid[]) with ordinality as chosen (id, place) on chosen.place = 1 + n % ${ids.length}::integer
            join app.runs as run on run.id = chosen.id
            join (values ('search', 'google_places', 'search_page'), ('enrichment', 'hunter_io', 'domain_search'),
              ('compliance', 'searchbug', 'phone_scrub')) as made (kind, provider, operation) on made.kind = run.kind
          returning *
        )
        select app.add_to_ledger_days(array(select app.ledger_change_of(added::app.paid_calls, 1) from added))
      `.execute(tx);
  });
  // As autovacuum would within a minute.
  await sql`vacuum analyze app.runs, app.paid_calls, app.ledger_days, app.usage_days, app.usage_lists`.execute(db);
}
