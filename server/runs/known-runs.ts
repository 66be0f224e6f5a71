import { type RawBuilder, sql } from 'kysely';
import { ENRICHMENT_STEPS } from '#contract/work/enrichment-steps.ts';
import { RUN_KINDS } from '#contract/work/runs.ts';

/**
 * Whether this version knows how to work on a run, in a query where app.runs has this name. During an update, a server of the next version
 * may begin runs that only that one knows: they are left for it.
 */
export const isKnownRun = (run: 'run' | 'runs'): RawBuilder<boolean> => {
  const [kind, input] = [sql.ref(`${run}.kind`), sql.ref(`${run}.input`)];
  return sql`(${isKnownKind(run)}
    and (${kind} <> 'enrichment' or coalesce(${input} -> 'steps', '[]') <@ ${JSON.stringify(ENRICHMENT_STEPS)}::jsonb))`;
};

/** Whether this version can tell what a run is. One of a later kind is not shown. */
export const isKnownKind = (run: 'run' | 'runs' | 'other'): RawBuilder<boolean> =>
  sql`${sql.ref(`${run}.kind`)} = any(${[...RUN_KINDS]}::text[])`;
