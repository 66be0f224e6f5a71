import { type Rectangle, toDegrees } from '#area/rectangle.ts';
import type { BoundingBox, PlaceFinder, PlaceQuery } from '#providers/provider.ts';
import type { RunContext } from '#server/runs/run-context.ts';
import { freeCall } from './free-call.ts';

/** Google shows no more than three pages of 20. */
const MOST_PAGES = 3;
const PAGE_SIZE = 20;
export const MOST_PLACES_SHOWN = MOST_PAGES * PAGE_SIZE;

/** What a rectangle holds. `idPages`: the page of each id. `isFull`: it holds as much as Google shows, so there may be more. */
export type Look = { ids: string[]; idPages: number[]; pages: number; isFull: boolean };

/** A rectangle without its north and east edges, which Google would include. Its numbers have seven decimals. */
const boxOf = ({ south, west, north, east }: Rectangle): BoundingBox => ({
  low: { latitude: toDegrees(south), longitude: toDegrees(west) },
  high: { latitude: toDegrees(north - 1), longitude: toDegrees(east - 1) },
});

export const queryIn = (category: string, rectangle: Rectangle): PlaceQuery => ({
  category,
  within: boxOf(rectangle),
  pageSize: PAGE_SIZE,
});

/**
 * Looks at a rectangle, which is free.
 * @throws ProviderError, RunStopped
 */
export async function look(
  context: RunContext,
  finder: Pick<PlaceFinder, 'countPage'>,
  category: string,
  rectangle: Rectangle,
): Promise<Look> {
  const query = queryIn(category, rectangle);
  const pageOf = new Map<string, number>();
  let pageToken: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const token = pageToken === undefined ? {} : { pageToken };
    const page = await freeCall(context, () => finder.countPage({ ...query, ...token }));
    for (const id of page.placeIds) if (!pageOf.has(id)) pageOf.set(id, pages);
    pageToken = page.nextPageToken;
    if (pageToken === undefined || pages === MOST_PAGES) {
      const isFull = pageOf.size >= MOST_PLACES_SHOWN || pageToken !== undefined;
      return { ids: [...pageOf.keys()], idPages: [...pageOf.values()], pages, isFull };
    }
  }
}
