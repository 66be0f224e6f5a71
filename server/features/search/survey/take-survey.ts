import { cut } from '#area/cut/cut.ts';
import { type CutOrder, createCutOrder, fewestIn, type Part } from '#area/cut/cut-order.ts';
import { liesIn } from '#area/shape/relate.ts';
import type { PlaceFinder } from '#providers/provider.ts';
import { ProviderError, type ProviderErrorKind } from '#providers/provider.ts';
import type { ResolvedArea } from '#server/features/search/area/resolve-area.ts';
import { SilentProvider } from '#server/paid-calls/departure/circuit.ts';
import type { RunContext } from '#server/runs/run-context.ts';
import { SURVEY_LIMITS } from './limits.ts';
import { look, MOST_PLACES_SHOWN } from './look.ts';
import type { SurveyRow } from './survey.ts';
import { failTile, hasOpenTiles, readOpenTiles, replaceTile, settleTile, type Tile } from './tiles.ts';

/** Looks in flight at a time: enough for the pace of a key, and so few that paid calls never wait long for them. */
const LOOKS_AT_ONCE = 5;
/** The longer side of the smallest rectangle, in meters. Places of one building cannot be told apart by cutting further. */
const SMALLEST_METERS = 15;

export type Surveying = {
  context: RunContext;
  finder: Pick<PlaceFinder, 'countPage'>;
  survey: SurveyRow;
  area: ResolvedArea;
};

/** How a survey ended: every tile has an answer, some gave none, or it holds more places than a survey looks for. */
export type SurveyEnd = { state: 'done' } | { state: 'failed tiles'; tiles: number } | { state: 'too many' };

/**
 * Looks at every open tile, and cuts full ones, until none is full.
 * - Each answer is kept as it comes, so a survey that is killed continues from there.
 * @throws ProviderError when every further look would meet it as well.
 * @throws RunStopped
 */
export async function takeSurvey(surveying: Surveying, seen: { places: number }): Promise<SurveyEnd> {
  for (;;) {
    const end = await lookAtTiles(surveying, seen);
    // A run that gives way to this one, or a press that comes late, may have opened tiles meanwhile.
    if (end.state !== 'done' || !(await hasOpenTiles(surveying.context.deps.db, surveying.survey.id))) return end;
  }
}

/** Looks at the tiles that are open when it begins, and at their pieces. */
async function lookAtTiles(surveying: Surveying, seen: { places: number }): Promise<SurveyEnd> {
  const { context, survey } = surveying;
  const order = createCutOrder(await readOpenTiles(context.deps.db, survey.id));
  const failures: unknown[] = [];
  let failed = 0;
  let atWork = 0;
  let wake = () => {};

  const lane = async (): Promise<void> => {
    while (failures.length === 0 && seen.places < SURVEY_LIMITS.places) {
      const part = order.next();
      if (!part) {
        if (atWork === 0) return;
        await new Promise<void>((resolve) => {
          const before = wake;
          wake = () => {
            before();
            resolve();
          };
        });
        continue;
      }
      atWork += 1;
      try {
        await lookInto(surveying, order, part, seen);
      } catch (error) {
        if (!isOneAnswer(error)) failures.push(error);
        else {
          failed += 1;
          await failTile(context.deps.db, survey.id, part.tile);
        }
      } finally {
        atWork -= 1;
        const wakeAll = wake;
        wake = () => {};
        wakeAll();
      }
    }
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, lane));
  if (failures.length > 0) throw failures[0];
  if (seen.places >= SURVEY_LIMITS.places) return { state: 'too many' };
  return failed > 0 ? { state: 'failed tiles', tiles: failed } : { state: 'done' };
}

/** Failures that every further look would meet as well. */
const STOPS: ReadonlySet<ProviderErrorKind> = new Set([
  'bad_credentials',
  'bad_configuration',
  'out_of_credit',
  'rate_limited',
  'bad_request',
]);

/** Whether a look failed in a way that says nothing about the next one. */
export const isOneAnswer = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && !(error instanceof SilentProvider) && !STOPS.has(error.kind);

/** Looks at a part and cuts it if it is full. If its other half shows that it is, no look is needed. */
async function lookInto(
  { context, finder, survey, area }: Surveying,
  order: CutOrder<Tile>,
  part: Part<Tile>,
  seen: { places: number },
): Promise<void> {
  const { db } = context.deps;
  const { tile } = part;
  const pieces = cut(tile, area.shape, SMALLEST_METERS)?.map((piece) => ({ ...piece, query: tile.query }));
  const isTold = pieces !== undefined && fewestIn(part) >= MOST_PLACES_SHOWN;
  const found = isTold ? undefined : await look(context, finder, survey.queries[tile.query] ?? '', tile);
  const inside = liesIn(tile, area.shape);
  if (pieces && (!found || found.isFull)) {
    const fresh = await replaceTile(db, survey.id, tile, { ...(found ?? { ids: [], pages: 0 }), inside }, pieces);
    seen.places += fresh;
    order.cut(part, found?.ids, pieces);
  } else if (found) {
    const state = found.isFull ? 'saturated' : 'complete';
    const fresh = await settleTile(db, survey.id, tile, { state, look: found, inside });
    seen.places += fresh;
    order.settle(part, found.ids);
  }
}
