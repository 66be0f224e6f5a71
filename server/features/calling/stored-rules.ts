import { sql } from 'kysely';
import { CALL_SCOPES } from '#contract/calling/call-scopes.ts';
import { type CallingRules, dayAnywhere, type OwnRule } from '#contract/calling/rules.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** The newest decisions that are shown. More than the rules that can be in force. */
const MOST_SHOWN = 500;

/** Lets one decision after the other be made: each names what it replaces, or is measured against. */
export async function lockRules(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('calling rules', 0))`.execute(tx);
}

/** What was decided about the scope, the newest first. */
export async function readScopes(db: Db): Promise<CallingRules['scopes']> {
  const rows = await db
    .selectFrom('app.calling_scopes')
    .select(['scope', 'reason', 'decided_by_email', 'decided_at'])
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  return rows.map(({ scope, reason, decided_by_email: by, decided_at }) => ({
    scope: CALL_SCOPES.find((one) => one === scope) ?? 'every_line',
    by,
    at: decided_at.toISOString(),
    reason,
  }));
}

type Row = {
  id: string;
  state: string;
  days: number[];
  from_time: string;
  to_time: string;
  cap_calls: number | null;
  cap_hours: number | null;
  effective_from: string | null;
  effective_to: string | null;
  reason: string;
  added_by_email: string;
  added_at: Date;
  ended_by_email: string | null;
  ended_at: Date | null;
  end_reason: string | null;
};

/** The workspace's own rules, those in force first, then the newest. */
export async function readOwnRules(db: Db): Promise<OwnRule[]> {
  const { rows } = await sql<Row>`
    select id, state, days, from_time, to_time, cap_calls, cap_hours, effective_from::text, effective_to::text, reason,
      added_by_email, added_at, ended_by_email, ended_at, end_reason
    from app.calling_rules
    order by ended_at is not null or coalesce(effective_to < ${dayAnywhere(Date.now())}::date, false), added_at desc, id limit ${MOST_SHOWN}
  `.execute(db);
  return rows.map((row) => ({
    id: row.id,
    state: row.state,
    days: row.days,
    from: row.from_time,
    to: row.to_time,
    ...(row.cap_calls === null || row.cap_hours === null
      ? {}
      : { cap: { calls: row.cap_calls, hours: row.cap_hours } }),
    ...(row.effective_from === null ? {} : { effectiveFrom: row.effective_from }),
    ...(row.effective_to === null ? {} : { effectiveTo: row.effective_to }),
    added: { by: row.added_by_email, at: row.added_at.toISOString(), reason: row.reason },
    ...(row.ended_at === null
      ? {}
      : { ended: { by: row.ended_by_email ?? '', at: row.ended_at.toISOString(), reason: row.end_reason ?? '' } }),
  }));
}
