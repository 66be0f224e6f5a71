import { sql } from 'kysely';
import type { Reprobe } from '#contract/work/search/coverage.ts';
import type { Db } from '#db/connection/client.ts';

/**
 * Makes a run the one that counts a survey. Returns false while another run counts it.
 * - A run that is being stopped gives way, and no longer writes about the survey.
 */
export async function claimSurvey(db: Db, surveyId: string, runId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update app.surveys as survey set run_id = ${runId}, state = 'counting', why = null, out_of_quota = false, resume_at = null,
      at_limit = false, probes_planned = null, probes_done = 0
    where id = ${surveyId} and (run_id is null or run_id = ${runId} or not exists (
      select from app.runs as run
      where run.id = survey.run_id and run.state in ('queued', 'running') and run.cancel_requested_at is null))
  `.execute(db);
  return numAffectedRows > 0n;
}

/** Marks a survey as counted. Without `reprobe`, only failed leaves were looked at again, as part of the same pass. */
export async function endSurvey(db: Db, surveyId: string, runId: string, reprobe: Reprobe | undefined): Promise<void> {
  await sql`
    update app.surveys set state = 'counted', why = null, finished_at = now(), run_id = null,
      passes = passes + ${reprobe ? 1 : 0}::integer, reprobe = coalesce(${reprobe ? JSON.stringify(reprobe) : null}::jsonb, reprobe)
    where id = ${surveyId} and run_id = ${runId}
  `.execute(db);
}

/** Why a survey stopped before its end, in words for its owner. */
export type SurveyStop = { why: string; outOfQuota?: boolean; atLimit?: boolean };

export async function stopSurvey(
  db: Db,
  surveyId: string,
  runId: string,
  { why, outOfQuota = false, atLimit = false }: SurveyStop,
): Promise<void> {
  await sql`
    update app.surveys set state = 'stopped', why = ${why}, out_of_quota = ${outOfQuota}, at_limit = ${atLimit}, run_id = null
    where id = ${surveyId} and run_id = ${runId}
  `.execute(db);
}
