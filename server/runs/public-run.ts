import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod/mini';
import { ENRICHMENT_STEPS } from '#contract/work/enrichment-steps.ts';
import { MOST_NAMED_LEADS } from '#contract/work/lead-choice.ts';
import {
  ComplianceTotals,
  EnrichmentTotals,
  RUN_STATES,
  type Run,
  SearchTotals,
  WAITING_REASONS,
} from '#contract/work/runs.ts';
import { AreaSearch } from '#contract/work/search/areas.ts';
import type { RunRow } from './run-context.ts';
import { RunKind } from './run-kind.ts';

/** A run with what is booked for it, and for those of its calls whose answer was lost, in micro-dollars. */
export type CostedRun = RunRow & { cost_micros: number; uncertain_micros: number };

/** More bytes than the ids of as many leads as may be named, as they are stored. */
const LARGE_BYTES = 500_000;

/**
 * What a `CostedRun` has besides its row, in a query where app.runs is called `run`. It comes behind the row: thousands of chosen leads
 * are left out of its input, and counted.
 */
export const RUN_COST = sql`
  case when pg_column_size(run.input) > ${LARGE_BYTES} and run.kind <> 'search'
    then (run.input - 'leadIds') || jsonb_build_object('leadCount', jsonb_array_length(run.input -> 'leadIds'))
    else run.input end as input,
  (select coalesce(sum(cost_micros), 0)::bigint from app.ledger_days where run_id = run.id) as cost_micros,
  (select coalesce(sum(uncertain_micros), 0)::bigint from app.ledger_days where run_id = run.id) as uncertain_micros`;

const Selection = z.object({ leadIds: z.optional(z.array(z.string())), leadCount: z.optional(z.number()) });

/** The leads that a run was narrowed to, or how many there are of them. */
export function selectionOf({ input }: RunRow): Pick<Run, 'leadIds' | 'leadCount'> {
  const { leadIds, leadCount } = Selection.safeParse(input).data ?? {};
  if (leadIds && leadIds.length <= MOST_NAMED_LEADS) return { leadIds };
  const count = leadIds?.length ?? leadCount;
  return count === undefined ? {} : { leadCount: count };
}

const Searched = z.object({
  query: z.string(),
  location: z.string(),
  radiusMeters: z.number(),
  maxResults: z.number(),
  onlyNew: z.optional(z.boolean()),
  source: z.optional(z.literal('open_first')),
});

/** Returns what a search looks for. */
function searchOf({ kind, input }: RunRow): Pick<Run, 'searchFor'> {
  if (kind !== 'search') return {};
  const area = AreaSearch.safeParse(input).data;
  if (area) return { searchFor: area };
  const searched = Searched.safeParse(input).data;
  if (!searched) return {};
  const { radiusMeters: radius, ...others } = searched;
  return { searchFor: { ...others, radius } };
}

const Stepped = z.object({ steps: z.optional(z.array(z.string())) });

/**
 * Where an enrichment looks: at Hunter alone, where it was begun when there was nothing else. Steps of a later version are left out, and of
 * a run that has no others nothing is said.
 */
export function stepsOf({ kind, input }: { kind: string; input: unknown }): Pick<Run, 'steps'> {
  if (kind !== 'enrichment') return {};
  const stored = Stepped.safeParse(input).data?.steps ?? ['hunter'];
  const steps = ENRICHMENT_STEPS.filter((step) => stored.includes(step));
  return steps.length > 0 ? { steps } : {};
}

/** What `stepsOf` needs of a run's input, in a query where app.runs has this name: thousands of chosen leads stay out of it. */
export const inputOfSteps = (run: 'run' | 'other'): RawBuilder<unknown> =>
  sql`jsonb_strip_nulls(jsonb_build_object('steps', ${sql.ref(run)}.input -> 'steps')) as input`;

/** Why a run stands still, as the process that works on it says. */
function waitingOf({ state, waiting_reason, waiting_until }: RunRow): Run['waiting'] {
  const reason = state === 'running' ? WAITING_REASONS.find((known) => known === waiting_reason) : undefined;
  return reason ? { reason, until: waiting_until?.toISOString() ?? null } : null;
}

/** A run as its owner may see it. */
export function toRun(row: CostedRun): Run {
  const kind = RunKind.parse(row.kind);
  return {
    id: row.id,
    listId: row.list_id,
    kind,
    state: RUN_STATES.find((state) => state === row.state) ?? 'failed',
    ...(kind === 'search' ? { search: SearchTotals.parse(row.totals) } : {}),
    ...(kind === 'enrichment' ? { enrichment: EnrichmentTotals.parse(row.totals) } : {}),
    ...stepsOf(row),
    ...(kind === 'compliance' ? { compliance: ComplianceTotals.parse(row.totals) } : {}),
    // Other runs do not need them, and there may be many.
    ...(row.state === 'failed' || row.state === 'cancelled' ? selectionOf(row) : {}),
    ...searchOf(row),
    estimateMicros: row.estimate_micros,
    boundMicros: row.bound_micros,
    costMicros: row.cost_micros,
    uncertainMicros: row.uncertain_micros,
    waiting: waitingOf(row),
    resumeAt: row.resume_at?.toISOString() ?? null,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
