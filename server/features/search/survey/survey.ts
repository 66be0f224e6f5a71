import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { z } from 'zod/mini';
import { Area } from '#contract/work/search/areas.ts';
import type { AreaSearchRequest } from '#contract/work/search/surveys.ts';
import type { DB } from '#db/types.gen.ts';
import type { AreaSpec } from '#server/features/search/area/resolve-area.ts';
import { placeSubject } from '#server/features/search/search-operations.ts';

export type SurveyRow = Selectable<DB['app.surveys']>;
export type TileRow = Selectable<DB['app.survey_tiles']>;

/** The business types of a request, each once. */
export function queriesOf({ query, queries }: Pick<AreaSearchRequest, 'query' | 'queries'>): string[] {
  const all = queries ?? (query === undefined ? [] : [query]);
  return [...new Map(all.map((one) => [placeSubject(one), one.trim()])).values()];
}

/** What makes two surveys the same, as a hash: it may hold where a person searches. */
export function subjectOf(area: AreaSpec, queries: readonly string[]): string {
  const same = JSON.stringify([sorted(area), queries.map(placeSubject).toSorted()]);
  return createHash('sha256').update(same).digest('hex');
}

function sorted(area: AreaSpec): unknown {
  switch (area.kind) {
    case 'zips':
      return ['zips', [...new Set(area.codes)].toSorted()];
    case 'state':
      return ['state', area.code.toUpperCase()];
    case 'county':
      return ['county', area.fips];
    case 'circle':
      return ['circle', area.center.latitude, area.center.longitude, Math.round(area.meters)];
    case 'polygon':
      return ['polygon', area.geometry];
  }
}

const Center = z.object({ latitude: z.number(), longitude: z.number() });
const StoredCircle = z.object({
  kind: z.literal('circle'),
  center: z.optional(Center),
  meters: z.number(),
  located: z.optional(z.literal(true)),
});
const StoredArea = z.union([StoredCircle, Area]);

/** Reads a stored area. Returns undefined for a circle whose center has been forgotten. */
export function readArea(stored: unknown): AreaSpec | undefined {
  const area = StoredArea.parse(stored);
  if (area.kind === 'counted') return undefined;
  if (area.kind !== 'circle') return area;
  const { center } = area;
  return center && 'meters' in area ? { ...area, center } : undefined;
}

/** Reads the input of a run that surveys, or that has Google count. */
export const SurveyInput = z.union([z.object({ surveyId: z.string() }), z.object({ countOf: z.string() })]);
