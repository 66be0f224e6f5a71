import { ProviderError } from '#providers/provider.ts';
import { resolveArea } from '#server/features/search/area/resolve-area.ts';
import { otherKindOfCount } from '#server/paid-calls/ledger/sandbox-mismatch.ts';
import { RunStopped } from '#server/paid-calls/run-stopped.ts';
import type { KindDefinition, RunContext } from '#server/runs/run-context.ts';
import { claimSurvey, endSurvey, type SurveyStop, stopSurvey } from './claim-survey.ts';
import { countByGoogle } from './count-by-google.ts';
import { SURVEY_LIMITS } from './limits.ts';
import { readSurvey } from './open-survey.ts';
import { probe } from './probe.ts';
import { readArea, SurveyInput, type SurveyRow } from './survey.ts';
import { takeSurvey } from './take-survey.ts';
import { countPlaces } from './tiles.ts';

/** Counts the places of an area for free, or pays for Google's own count. */
export const surveyKind: KindDefinition = {
  provider: 'google_places',
  async execute(context) {
    const input = SurveyInput.parse(context.run.input);
    const survey = await readSurvey(context.deps.db, 'countOf' in input ? input.countOf : input.surveyId);
    if (!survey) return undefined;
    // An earlier version began such runs.
    if (survey.sandbox !== context.run.sandbox) throw otherKindOfCount(survey.sandbox);
    await ('countOf' in input ? countByGoogle(context, survey) : finishSurvey(context, survey));
    return undefined;
  },
};

/**
 * Continues a survey until it is done, and notes in its row how it ended.
 * - Leaves without an answer are looked at again. If all others are counted, nothing else is.
 * - It does nothing while another run counts the survey.
 * @throws ProviderError, RunStopped
 */
export async function finishSurvey(context: RunContext, survey: SurveyRow): Promise<void> {
  const { db } = context.deps;
  const runId = context.run.id;
  if (!(await claimSurvey(db, survey.id, runId))) return;
  const end = (how: SurveyStop) => stopSurvey(db, survey.id, runId, how);
  const spec = readArea(survey.area);
  // A new search looks the place up again, and makes its own survey.
  if (!spec) return end({ why: 'It is more than 30 days old. Start a new search.' });
  const finder = context.deps.providers.placeFinder(context.key.apiKey);
  const surveying = { context, finder, survey, area: resolveArea(spec, survey.label) };
  try {
    const taken = await takeSurvey(surveying, { places: await countPlaces(db, survey.id) });
    if (taken.state === 'too many') return await end({ why: tooManyText(), atLimit: true });
    const reprobe = survey.state === 'counted' ? undefined : await probe(surveying);
    await endSurvey(db, survey.id, runId, reprobe);
  } catch (error) {
    const why = whyOf(error);
    if (why !== undefined) await end({ why, outOfQuota: isOutOfQuota(error) });
    throw error;
  }
}

const tooManyText = () =>
  `The area holds more than ${SURVEY_LIMITS.places.toLocaleString('en-US')} places, where a count stops. Buy these, or search smaller areas.`;

/** Returns why a survey ended. Undefined when another process continues it. */
function whyOf(error: unknown): string | undefined {
  if (error instanceof ProviderError) return error.message;
  if (error instanceof RunStopped && error.reason === 'cancelled') return 'You stopped it.';
  return undefined;
}

const isOutOfQuota = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'out_of_credit';
