import type { Tx } from '#db/connection/tx.ts';
import type { Purchase } from '#server/paid-calls/operation.ts';
import { setTotals } from '#server/runs/totals.ts';
import { addLeads, type NewLead, storedPlaceIds } from './lead-rows.ts';
import { findKnownPlaces, rememberPlaces } from './place-memory.ts';
import type { Search } from './search.ts';
import type { SearchInput } from './search-input.ts';
import type { PageAnswer } from './search-operations.ts';
import { NOTHING_SIFTED, outsideCircle, type Sifted, type SiftRules, siftPlaces } from './sift-places.ts';

/** The list of a search, which takes what it wants of each page and counts the rest. */
export type ListToFill = {
  rules: SiftRules;
  /** Keeps the places of a paid page, and what was learned of them, in the transaction that books it. */
  store: NonNullable<Purchase<PageAnswer>['store']>;
  /** Keeps the places of one page. They count once `pageCame` was called: a transaction may be tried again. */
  keep(tx: Tx, found: readonly NewLead[]): Promise<void>;
  pageCame(): void;
  /** Whether there is no room for another place. */
  isFull(): boolean;
  /** Notes how the search ended. Returns whether a page came, or the list had leads before. `lost`: the answer of a page. */
  end(how: { lost: boolean }): Promise<boolean>;
};

export async function openList({ context, input, center }: Search): Promise<ListToFill> {
  const { deps, run } = context;
  const stored = await storedPlaceIds(deps.db, run.listId);
  const elsewhere = new Set<string>();
  const room = Math.max(0, input.maxResults - stored.size);
  const isOutside = outsideCircle(center, input.radiusMeters);
  const rules: SiftRules = { isOutside, stored, room, elsewhere };
  let sifted = NOTHING_SIFTED;
  let after = sifted;
  let pages = 0;

  async function keep(tx: Tx, found: readonly NewLead[]): Promise<void> {
    const places = found.map(({ place }) => place);
    if (input.onlyNew) {
      const ids = places.map(({ id }) => id);
      for (const id of (await findKnownPlaces(tx, run, run.listId, ids)).elsewhere.keys()) elsewhere.add(id);
    }
    const sorted = siftPlaces(sifted, places, rules);
    const kept = new Set(sorted.add);
    after = sorted.after;
    const leads = found.filter(({ place }) => kept.has(place));
    await addLeads(tx, run.listId, leads);
    await setTotals(tx, context, totalsOf(input, after, pages + 1, 0));
  }
  return {
    rules,
    keep,
    async store(tx, [answered]) {
      if (!answered) return;
      await rememberPlaces(tx, run, answered);
      const { answer, callId } = answered;
      const leads = answer.places.map((place) => ({ place, callId }));
      await keep(tx, leads);
    },
    pageCame() {
      sifted = after;
      pages += 1;
    },
    isFull: () => input.onlyNew === true && sifted.added >= room,
    async end({ lost }) {
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
