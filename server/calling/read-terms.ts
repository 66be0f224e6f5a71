import { sql } from 'kysely';
import { asRule } from '#calling/own-rules.ts';
import { RULES } from '#calling/rules/rule.ts';
import type { Moment } from '#calling/verdict.ts';
import type { Db } from '#db/connection/client.ts';

/** What every verdict of this installation stands on, besides its moment. */
export type Terms = Required<Omit<Moment, 'at'>>;

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
  added_on: string;
};

/** Reads the scope that administrators chose, and the law with their own rules beside it. */
export async function readTerms(db: Db): Promise<Terms> {
  const scope = await readScope(db);
  const { rows } = await sql<Row>`
      select id, state, days, from_time, to_time, cap_calls, cap_hours, effective_from::text, effective_to::text, reason,
        to_char(added_at at time zone 'UTC', 'YYYY-MM-DD') as added_on
      from app.calling_rules where ended_at is null order by added_at, id
    `.execute(db);
  const own = rows.map(({ cap_calls: calls, cap_hours: hours, ...row }) =>
    asRule({
      ...row,
      from: row.from_time,
      to: row.to_time,
      cap: calls === null || hours === null ? undefined : { calls, hours },
      effectiveFrom: row.effective_from ?? undefined,
      effectiveTo: row.effective_to ?? undefined,
      addedOn: row.added_on,
    }),
  );
  return { leniency: { businessLandlines: scope === 'business_landlines' }, rules: [...RULES, ...own] };
}

async function readScope(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('app.calling_scopes')
    .select('scope')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.scope;
}
