import { sql } from 'kysely';
import { csvHead, csvRows } from '#contract/csv.ts';
import { type UsagePeriod, usageFileName } from '#contract/money/usage.ts';
import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import type { Db } from '#db/connection/client.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Download } from '#server/http/download.ts';
import { chooseMoney } from './choose-money.ts';
import type { Chosen } from './chosen.ts';

/** Rows read at a time: the most that are in memory at once. */
const PAGE = 1_000;

const COLUMNS = [
  'Time (UTC)',
  'Provider',
  'Operation',
  'Subject',
  'State',
  'Cost (USD)',
  'Times Sent',
  'Settled (UTC)',
  'Message',
  'List',
  'Run',
  'Call',
  'Sandbox',
];

/** Returns the ledger's rows behind a period's sums as a CSV file, the oldest first. */
export function exportUsage(ctx: Ctx, period: UsagePeriod): Download {
  return { fileName: usageFileName(period), type: 'text/csv; charset=utf-8', parts: partsOf(ctx, period) };
}

async function* partsOf(ctx: Ctx, period: UsagePeriod): AsyncGenerator<string> {
  const { db } = ctx.deps;
  const { userId } = ctx.user;
  const { money } = await chooseMoney(db, userId, period.money);
  await writeAudit(db, ctx, { action: 'usage.exported', target: userId, details: { ...period, money } });
  yield csvHead(COLUMNS);
  for (let after: string | undefined; ; ) {
    const rows = await readPage(db, { ...period, userId, sandbox: money === 'sandbox' }, after);
    if (rows.length > 0) yield csvRows(rows.map(cellsOf));
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id;
  }
}

type Row = {
  id: string;
  at: Date;
  provider: ProviderId;
  operation: string;
  subject: string;
  state: string;
  cost: string;
  attempts: number;
  settled_at: Date | null;
  error_message: string | null;
  list: string;
  run_id: string;
  sandbox: boolean;
};

/** A call belongs to the day on which it was sent, as in the ledger's sums. */
async function readPage(db: Db, { userId, sandbox, from, to }: Chosen, after: string | undefined): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select call.id, coalesce(call.sent_at, call.planned_at) as at, call.provider, call.operation, call.subject, call.state,
      (call.cost_micros / 1000000.0)::numeric(20, 6)::text as cost, call.attempts, call.settled_at, call.error_message,
      case run.kind when 'place' then 'Place look-up' else coalesce(list.name, run.list_name) end as list, run.id as run_id, call.sandbox
    from app.paid_calls as call join app.runs as run on run.id = call.run_id
      left join public.lists as list on list.id = run.list_id
    where call.user_id = ${userId} and call.sandbox = ${sandbox} and (call.state <> 'planned' or call.cost_micros > 0)
      and (call.state <> 'failed' or call.sent_at is not null)
      and coalesce(call.sent_at, call.planned_at) >= ${from}::date at time zone 'UTC'
      and coalesce(call.sent_at, call.planned_at) < (${to}::date + 1) at time zone 'UTC'
      and (${after ?? null}::uuid is null or (coalesce(call.sent_at, call.planned_at), call.id) > (
        select coalesce(sent_at, planned_at), id from app.paid_calls where id = ${after ?? null}
      ))
    order by coalesce(call.sent_at, call.planned_at), call.id limit ${PAGE}
  `.execute(db);
  return rows;
}

const cellsOf = (row: Row): string[] => [
  row.at.toISOString(),
  PROVIDER_CATALOGUE[row.provider].name,
  row.operation,
  row.subject,
  row.state,
  row.cost,
  String(row.attempts),
  row.settled_at?.toISOString() ?? '',
  row.error_message ?? '',
  row.list,
  row.run_id,
  row.id,
  row.sandbox ? 'Yes' : 'No',
];
