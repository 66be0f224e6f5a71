import type { PricedLeaf } from '#server/features/search/survey/estimates/price-survey.ts';
import { noteLack } from '#server/features/search/survey/tiles.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { type Buying, type LeafToBuy, pagesOf, planPages } from './leaf-pages.ts';

/** Leaves that are bought at a time: as many pages as a key may ask for in a second. */
const LEAVES_AT_ONCE = 5;

/**
 * Buys the pages of leaves that hold unknown places, those first that bring the most. Returns whether any page came.
 * - A leaf whose places have all come by then, with others or with its first pages, is not paid for any further.
 * - However it ends, its list says what is left: also places that the pages of their leaf did not bring.
 * @throws ProviderError
 * @throws RunStopped when the run may spend no more.
 */
export async function buyLeaves(buying: Buying, priced: readonly PricedLeaf[]): Promise<boolean> {
  const { context, survey } = buying;
  const leaves = await planPages(buying, priced);
  const had = new Set<string>();
  const done = new Set<LeafToBuy>();
  const came = new Map<LeafToBuy, number>();
  const isHad = (leaf: LeafToBuy) => leaf.unknown.every((id) => had.has(id));
  try {
    await forEachAtOnce(leaves, LEAVES_AT_ONCE, async (leaf) => {
      if (isHad(leaf)) return;
      for await (const page of pagesOf(buying, leaf)) {
        if (page === 'lost') return;
        came.set(leaf, (came.get(leaf) ?? 0) + 1);
        for (const { id } of page.places) had.add(id);
        if (isHad(leaf)) return;
      }
      done.add(leaf);
      await noteLack(context.deps.db, survey.id, leaf, context.run.id);
    });
  } finally {
    const left = leaves.filter((leaf) => !isHad(leaf));
    const places = new Set(left.flatMap(({ unknown }) => unknown.filter((id) => !had.has(id))));
    buying.list.progress.add({
      pagesLeft: left.reduce(
        (sum, leaf) => sum + (done.has(leaf) ? leaf.allPages : leaf.pages - (came.get(leaf) ?? 0)),
        0,
      ),
      placesLeft: places.size,
    });
  }
  return came.size > 0;
}
