import type { PlaceFinder, PlaceQuery } from '#providers/provider.ts';

/** Which places a page of a search holds. */
type PreviewPage = { placeIds: string[]; nextPageToken?: string };

/** The pages of a search as ids only, which cost nothing. Each is fetched once, after those before it. */
export type Preview = {
  /**
   * Returns a page, or undefined when there is no such page.
   * @throws ProviderError
   */
  page(number: number): Promise<PreviewPage | undefined>;
};

/** Fetches pages when they are needed. `takeTurn` waits until one more call may leave. */
export function previewPages(
  finder: Pick<PlaceFinder, 'countPage'>,
  query: PlaceQuery,
  takeTurn: () => Promise<void>,
  signal: AbortSignal,
): Preview {
  const pages: PreviewPage[] = [];
  return {
    async page(number) {
      while (pages.length < number) {
        const pageToken = pages.at(-1)?.nextPageToken;
        if (pages.length > 0 && pageToken === undefined) return undefined;
        await takeTurn();
        pages.push(await finder.countPage({ ...query, ...(pageToken === undefined ? {} : { pageToken }) }, signal));
      }
      return pages[number - 1];
    },
  };
}
