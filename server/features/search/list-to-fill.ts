import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Answered, Purchase } from '#server/paid-calls/operation.ts';
import { setTotals, settingTotals } from '#server/runs/progress/totals.ts';
import type { KeylessContext, ListRunContext } from '#server/runs/run-context.ts';
import { addingLeads, addLeads, type NewLead, type Stored } from './lead-rows.ts';
import { findKnownPlaces, rememberingPlaces } from './place/place-memory.ts';
import type { Search } from './search.ts';
import type { SearchInput } from './search-input.ts';
import type { PageAnswer } from './search-operations.ts';
import { NOTHING_SIFTED, outsideCircle, type Sifted, type SiftRules, siftPlaces } from './sift-places.ts';

/** The list that a search fills. It takes what it wants from each page and counts the rest. */
export type ListToFill = {
  rules: SiftRules;
  /** Keep the places of a paid page, and what was learned about them, in the transaction that books it. */
  storing: Pick<Purchase<PageAnswer>, 'store' | 'storing' | 'meanwhile'>;
  /** Keeps the places of one page. They count once `pageCame` was called, because a transaction may be repeated. */
  keep(tx: Tx, found: readonly NewLead[]): Promise<void>;
  pageCame(): void;
  /** Whether there is no room for another place. */
  isFull(): boolean;
  /** Notes how the search ended. Returns whether a page came, or the list had leads before. `lost`: the answer of a page. */
  end(how: { lost: boolean }): Promise<boolean>;
};

/** What the list needs of a search. */
type Filled = Pick<Search, 'input' | 'center' | 'openIds' | 'meanwhile'> & { context: KeylessContext<ListRunContext> };

export function openList(
  { context, input, center, openIds, meanwhile }: Filled,
  { placeIds: listed, isOpen }: Stored,
): ListToFill {
  const { deps, run } = context;
  const stored = new Set([...listed, ...openIds]);
  const elsewhere = new Set<string>();
  // As many of Google's as were asked for, however many open data has brought.
  const room = Math.max(0, input.maxResults - [...listed].filter((id) => !openIds.has(id)).length);
  const isOutside = outsideCircle(center, input.radiusMeters);
  const rules: SiftRules = { isOutside, stored, room, elsewhere };
  let sifted = NOTHING_SIFTED;
  let after = sifted;
  let pages = 0;

  /** Takes what the list wants from a page. If the page is tried again, it takes the same. */
  function take(found: readonly NewLead[], page?: Answered<PageAnswer>) {
    const sorted = siftPlaces(
      sifted,
      found.map(({ place }) => place),
      rules,
    );
    const kept = new Set(sorted.add);
    after = sorted.after;
    const totals = settingTotals(context, totalsOf(input, after, pages + 1, 0));
    return {
      leads: found.filter(({ place }) => kept.has(place)),
      noting: page ? sql`with remembered as (${rememberingPlaces(run, page)}) ${totals}` : totals,
    };
  }
  async function keep(tx: Tx, found: readonly NewLead[], page?: Answered<PageAnswer>): Promise<void> {
    if (input.onlyNew) {
      const ids = found.map(({ place }) => place.id);
      for (const id of (await findKnownPlaces(tx, run, run.listId, ids)).elsewhere.keys()) elsewhere.add(id);
    }
    const { leads, noting } = take(found, page);
    await addLeads(tx, run.listId, leads);
    await noting.execute(tx);
  }
  const foundOn = ({ answer, callId }: Answered<PageAnswer>) => answer.places.map((place) => ({ place, callId }));
  return {
    rules,
    keep: (tx, found) => keep(tx, found),
    storing:
      input.onlyNew || isOpen
        ? { meanwhile, store: async (tx, [page]) => page && keep(tx, foundOn(page), page) }
        : {
            meanwhile,
            storing([page]) {
              if (!page) return [];
              const { leads, noting } = take(foundOn(page), page);
              return [addingLeads(run.listId, leads, { matched: true }), noting];
            },
          },
    pageCame() {
      sifted = after;
      pages += 1;
    },
    isFull: () => input.onlyNew === true && sifted.added >= room,
    async end({ lost }) {
      await meanwhile.done();
      // Each page that came has written them.
      if (pages === 0 || lost) await setTotals(deps.db, context, totalsOf(input, sifted, pages, lost ? 1 : 0));
      return pages > 0 || stored.size > 0;
    },
  };
}

function totalsOf(
  { maxResults }: SearchInput,
  { seen: _seen, added: _added, ...counts }: Sifted,
  pages: number,
  pagesLost: number,
) {
  return { requested: maxResults, ...counts, pages, pagesLost };
}
