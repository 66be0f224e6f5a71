import { sql } from 'kysely';
import { z } from 'zod/mini';
import { checkPartition } from '#area/partition/check-partition.ts';
import type { Rectangle } from '#area/rectangle.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { Coverage, type coverageEndpoint, LEAF_STATES, type Leaf } from '#contract/work/search/coverage.ts';
import type { Db } from '#db/connection/client.ts';
import { resolveArea } from '#server/features/search/area/resolve-area.ts';
import { countableOfSurvey } from '#server/features/search/survey/count-by-google.ts';
import { countOthers, readFound } from '#server/features/search/survey/found-places.ts';
import { readOutside } from '#server/features/search/survey/known-outside.ts';
import { readArea, type SurveyRow, type TileRow } from '#server/features/search/survey/survey.ts';
import type { Ctx } from '#server/http/context.ts';
import { surveyOfList } from './survey-of-list.ts';

/** The language of the answers about places. */
const LANGUAGE = 'en';

const Frames = z.array(z.object({ south: z.number(), west: z.number(), north: z.number(), east: z.number() }));
const StoredReprobe = z.object({
  leaves: z.number(),
  seen: z.number(),
  new: z.number(),
  missedShare: z.number(),
  low: z.number(),
  high: z.number(),
});

/**
 * Reads the certificate of one of the caller's lists: what its search was based on, and what later passes have added.
 * @throws NOT_FOUND, also when the list does not come from the search of a whole area.
 */
export async function readCoverage(
  { deps: { db }, user }: Ctx,
  { listId }: z.output<typeof coverageEndpoint.query>,
): Promise<DataOf<typeof coverageEndpoint>> {
  const survey = await surveyOfList(db, user.userId, listId);
  const { certificate } = await db
    .selectFrom('app.list_surveys')
    .select('certificate')
    .where('list_id', '=', listId)
    .executeTakeFirstOrThrow();
  const kept = Coverage.safeParse(certificate).data;
  const now = kept ?? (await certify(db, survey));
  const asked = { ...aggregateOf(survey), inList: await countInList(db, listId, idsOf(now)) };
  if (!kept) return { ...now, ...asked };
  const others = await countOthers(db, survey.id, await outsideOf(db, survey), idsOf(kept));
  // Older certificates say how many of their places are in no leaf, and not which.
  const newPlaces = Math.max(0, others - (kept.unplaced - kept.unplacedIds.length));
  const gaps = await countGaps(db, survey.id);
  const { passes } = kept;
  const changed = newPlaces > 0 || survey.passes > passes || gaps !== kept.gaps.length;
  const finishedAt = survey.finished_at?.toISOString() ?? null;
  const later = { passes: survey.passes - passes, newPlaces, gaps, finishedAt };
  return { ...kept, ...asked, ...(changed ? { later } : {}) };
}

/** How many of these places are in a list. */
async function countInList(db: Db, listId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ leads: number }>`
    select count(distinct place_id)::integer as leads from public.leads
    where list_id = ${listId} and place_id in (select unnest(${ids}::text[]))
  `.execute(db);
  return rows[0]?.leads ?? 0;
}

/** Keeps what a survey has covered as the certificate of a list, which later passes do not change. */
export async function keepCertificate(db: Db, listId: string, survey: SurveyRow): Promise<Coverage> {
  const certificate = await certify(db, survey);
  await writeCertificate(db, listId, certificate);
  return certificate;
}

/** Takes out of the count of a certificate what the search after it has shown to lie outside of the area. */
export async function leaveOutside(db: Db, listId: string, survey: SurveyRow, kept: Coverage): Promise<void> {
  const outside = new Set(await outsideOf(db, survey));
  const outsideIds = idsOf(kept).filter((id) => outside.has(id)).length;
  if (outsideIds <= kept.outsideIds) return;
  const uniqueIds = kept.uniqueIds + kept.outsideIds - outsideIds;
  await writeCertificate(db, listId, { ...kept, uniqueIds, outsideIds });
}

async function writeCertificate(db: Db, listId: string, certificate: Coverage): Promise<void> {
  const json = JSON.stringify(certificate);
  await sql`update app.list_surveys set certificate = ${json}::jsonb where list_id = ${listId}`.execute(db);
}

/** The places of a certificate, each once. */
const idsOf = ({ leaves, unplacedIds }: Coverage): string[] => [
  ...new Set([...leaves.flatMap(({ ids }) => ids), ...unplacedIds]),
];

/** The places that are known to lie outside of the area of a survey. None once the center of its circle has been forgotten. */
async function outsideOf(db: Db, survey: SurveyRow): Promise<string[]> {
  const spec = readArea(survey.area);
  if (!spec) return [];
  const { user_id: userId, sandbox, id } = survey;
  return readOutside(db, { userId, sandbox }, { id, area: resolveArea(spec, survey.label) });
}

async function certify(db: Db, survey: SurveyRow): Promise<Coverage> {
  const { rows: tiles } = await sql<TileRow>`
    select * from app.survey_tiles where survey_id = ${survey.id} order by query, south, west
  `.execute(db);
  const { found, unplaced, beyond } = await readFound(db, survey.id, await outsideOf(db, survey));
  const frames = Frames.parse(survey.frames);
  const queryOf = ({ query }: TileRow) => survey.queries[query] ?? '';
  const leaves = tiles.flatMap((tile): Leaf[] => {
    const state = LEAF_STATES.find((one) => one === tile.state);
    return state ? [{ ...rectangleOf(tile), query: queryOf(tile), state, ids: tile.ids, pages: tile.pages }] : [];
  });
  const proofs = survey.queries.map((_, query) =>
    checkPartition(frames, tiles.filter((tile) => tile.query === query).map(rectangleOf)),
  );
  const broken = proofs.find((proof) => proof.kind === 'broken');
  return {
    area: { label: survey.label, ...publicArea(survey), frames },
    queries: survey.queries,
    language: LANGUAGE,
    startedAt: survey.started_at.toISOString(),
    finishedAt: survey.finished_at?.toISOString() ?? null,
    passes: survey.passes,
    freeCalls: survey.free_calls,
    leaves,
    outside: tiles
      .filter(({ state }) => state === 'outside')
      .map((tile) => ({ ...rectangleOf(tile), query: queryOf(tile) })),
    partition: { exact: !broken, why: broken?.why ?? null },
    uniqueIds: found,
    unplaced: unplaced.length,
    unplacedIds: unplaced,
    outsideIds: beyond,
    reprobe: StoredReprobe.safeParse(survey.reprobe).data ?? null,
    gaps: leaves.filter(({ state }) => state !== 'complete'),
  };
}

/** Returns what Google counts by itself, or what it costs to ask for that. */
function aggregateOf(survey: SurveyRow): Pick<Coverage, 'aggregateCount' | 'aggregateMicros'> {
  const countable = countableOfSurvey(survey);
  return {
    ...(countable ? { aggregateMicros: countable.costMicros } : {}),
    ...(survey.aggregate_count === null ? {} : { aggregateCount: survey.aggregate_count }),
  };
}

async function countGaps(db: Db, surveyId: string): Promise<number> {
  const { rows } = await sql<{ gaps: number }>`
    select count(*)::integer as gaps from app.survey_tiles
    where survey_id = ${surveyId} and state not in ('complete', 'outside')
  `.execute(db);
  return rows[0]?.gaps ?? 0;
}

function publicArea(survey: SurveyRow): Pick<Coverage['area'], 'spec' | 'meters'> {
  const area = readArea(survey.area);
  if (!area) return { spec: { kind: 'circle' } };
  if (area.kind !== 'circle') return { spec: area };
  return { spec: { kind: 'circle', center: area.center }, meters: area.meters };
}

const rectangleOf = ({ south, west, north, east }: Rectangle): Rectangle => ({ south, west, north, east });
