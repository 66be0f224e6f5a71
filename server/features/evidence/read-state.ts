import { type RawBuilder, sql } from 'kysely';
import type { EvidenceKind } from '#contract/calling/evidence.ts';
import type { Db } from '#db/connection/client.ts';
import type { NumberScope, PackScope } from './pack-scope.ts';

/** Counts of the entries of a scope. Times are ISO. */
export type PackState = {
  entries: number;
  kinds: readonly { kind: string; entries: number }[];
  firstAt: string | null;
  lastAt: string | null;
};

/** Counts the entries of a scope. */
export async function readState(db: Db, { condition }: PackScope): Promise<PackState> {
  const { rows } = await sql<{ kind: string; entries: number; first_at: Date; last_at: Date }>`
    select kind, count(*)::integer as entries, min(at) as first_at, max(at) as last_at
    from app.evidence as entry where ${condition} group by kind order by kind
  `.execute(db);
  const times = rows.flatMap((row) => [row.first_at.getTime(), row.last_at.getTime()]);
  const time = (pick: (...values: number[]) => number) =>
    times.length > 0 ? new Date(pick(...times)).toISOString() : null;
  return {
    entries: rows.reduce((sum, { entries }) => sum + entries, 0),
    kinds: rows.map(({ kind, entries }) => ({ kind, entries })),
    firstAt: time(Math.min),
    lastAt: time(Math.max),
  };
}

/** What decides the state of a number: what happened last of each kind, by the end of the scope. */
export type NumberState = {
  check: LastEntry | undefined;
  suppression: LastEntry | undefined;
  call: LastEntry | undefined;
  /** Since when it stands on the suppression list, also where the entry of that is gone after five years. */
  listedAt: string | undefined;
  /** Since when the number is held back because it was erased. */
  erasedAt: string | undefined;
  /** Why evidence may be destroyed: the number was erased, also after the time that was asked for, or the chain is that old. */
  destroyed: 'erased' | 'aged' | undefined;
  /** Whether checks and calls are those of the reader alone. */
  isOwnOnly: boolean;
};
type LastEntry = { position: number; at: string; kind: string; facts: Record<string, unknown> };

const CHECKS: EvidenceKind[] = ['scrub.verdict', 'verdict.reused'];
const SUPPRESSIONS: EvidenceKind[] = ['suppression.added', 'suppression.imported', 'suppression.removed'];
const CALLS: EvidenceKind[] = ['call.logged', 'call.taken_back'];

/** When something happened, which may have been long before it was written down. */
const ANSWERED = sql`(facts ->> 'answeredAt')::timestamptz`;
/** An outcome that was taken back is news of a call that was made before. */
const CALLED = sql`coalesce(max((facts ->> 'calledAt')::timestamptz) over (partition by facts ->> 'call'), at)`;

/**
 * Reads the state of a number at the end of a scope: its last check, suppression and call. `to`: as the pack was asked for.
 * - What is of the sandbox is told only where nothing real is known. A call that was not made is none.
 * A suppression holds for everyone, so everyone is told of it; checks and calls of others are for administrators.
 */
export async function readNumberState(db: Db, number: NumberScope, to: string | undefined): Promise<NumberState> {
  const { condition, reader } = number;
  const seen = reader === undefined ? condition : sql<boolean>`${condition} and entry.actor_id = ${reader}`;
  const [check, suppression, call, held] = await Promise.all([
    lastOf(db, seen, CHECKS, ANSWERED),
    suppressionOf(db, condition),
    lastOf(db, seen, CALLS, CALLED),
    readHeld(db, number, to),
  ]);
  return { check, suppression, call, ...held, isOwnOnly: reader !== undefined };
}

async function readHeld(
  db: Db,
  { key, erasedHash }: NumberScope,
  to: string | undefined,
): Promise<Pick<NumberState, 'listedAt' | 'erasedAt' | 'destroyed'>> {
  const { rows } = await sql<{ listed_at: Date | null; erased_at: Date | null; is_erased: boolean; is_old: boolean }>`
    with period as (select coalesce(${to ?? null}::timestamptz, 'infinity') as ends)
    select (select added_at from app.suppressions where key = ${key} and added_at < period.ends) as listed_at,
      (select erased_at from app.erased_contacts
        where hash = decode(${erasedHash ?? null}, 'hex') and erased_at < period.ends) as erased_at,
      exists (select from app.erased_contacts where hash = decode(${erasedHash ?? null}, 'hex'))
        and exists (select from app.evidence where position = 1 and at < period.ends) as is_erased,
      exists (select from app.evidence where position = 1 and at < now() - interval '5 years') as is_old
    from period
  `.execute(db);
  const [row] = rows;
  return {
    listedAt: row?.listed_at?.toISOString(),
    erasedAt: row?.erased_at?.toISOString(),
    destroyed: row?.is_erased ? 'erased' : row?.is_old ? 'aged' : undefined,
  };
}

/**
 * How a number came to stand on the list, or left it. One that stands there may be added again: its owner asked for it, too. Since when
 * it is held back, the first of these says.
 */
async function suppressionOf(db: Db, condition: RawBuilder<boolean>): Promise<LastEntry | undefined> {
  const { rows } = await sql<Omit<LastEntry, 'at'> & { at: Date }>`
    with said as (
      select position, at, kind, facts from app.evidence as entry where ${condition} and kind = any(${SUPPRESSIONS})
    )
    select position::float8 as position, at, kind, facts from said
    where position >= coalesce((select max(position) from said where kind = 'suppression.removed'), 0)
    order by kind = 'suppression.removed', said.position limit 1
  `.execute(db);
  return entryOf(rows[0]);
}

const entryOf = (row: (Omit<LastEntry, 'at'> & { at: Date }) | undefined): LastEntry | undefined =>
  row && { ...row, at: row.at.toISOString() };

async function lastOf(
  db: Db,
  condition: RawBuilder<boolean>,
  kinds: EvidenceKind[],
  moment: RawBuilder<unknown>,
): Promise<LastEntry | undefined> {
  const { rows } = await sql<Omit<LastEntry, 'at'> & { at: Date }>`
    with said as (
      select position, at, kind, facts, ${moment} as moment, coalesce((facts ->> 'sandbox')::boolean, false) as is_sandbox,
        bool_or(coalesce(facts ->> 'what' = 'call', false)) over (partition by coalesce(facts ->> 'call', position::text)) as is_unmade
      from app.evidence as entry where ${condition} and kind = any(${kinds})
    )
    select position::float8 as position, at, kind, facts from said where not is_unmade or kind not like 'call.%'
    order by is_sandbox, moment desc, position desc limit 1
  `.execute(db);
  return entryOf(rows[0]);
}
