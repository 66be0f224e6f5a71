import type { Tx } from '#db/connection/tx.ts';
import type { Place } from '#providers/provider.ts';
import type { ResolvedArea } from '#server/features/search/area/resolve-area.ts';
import { addLeads, type NewLead } from '#server/features/search/lead-rows.ts';
import { findKnownPlaces, rememberPlaces } from '#server/features/search/place/place-memory.ts';
import type { PageAnswer } from '#server/features/search/search-operations.ts';
import { outsideOf } from '#server/features/search/sift-places.ts';
import { readRemoved } from '#server/features/search/survey/purchase.ts';
import type { Purchase } from '#server/paid-calls/operation.ts';
import { type Progress, startProgress } from '#server/runs/progress/progress.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';

const TOTALS = {
  requested: 0,
  found: 0,
  kept: 0,
  outsideRadius: 0,
  closed: 0,
  duplicates: 0,
  alreadyListed: 0,
  beyondMaximum: 0,
  serviceArea: 0,
  pages: 0,
  pagesLost: 0,
  pagesToBuy: 0,
  pagesLeft: 0,
  placesLeft: 0,
};
type Counts = Partial<typeof TOTALS>;
type Elsewhere = ReadonlyMap<string, unknown>;

/** The list that a search of a whole area fills. Pages come in any order, several at a time. */
export type AreaList = {
  /** Keeps the places of a paid page, in the transaction that books it. */
  store: NonNullable<Purchase<PageAnswer>['store']>;
  /** Keeps places whose details are known already. `name` identifies this part. */
  copy(tx: Tx, name: string, found: readonly NewLead[]): Promise<void>;
  progress: Progress<keyof typeof TOTALS>;
};

export async function openAreaList(
  context: ListRunContext,
  area: Pick<ResolvedArea, 'holds'>,
  onlyNew: boolean,
): Promise<AreaList> {
  const { run } = context;
  const progress = startProgress(context, { ...TOTALS });
  const sift = createSift(outsideOf(area.holds));
  const removed = await readRemoved(context.deps.db, run.id);
  /** Which places of each part were kept. A repeated transaction must keep the same ones. */
  const kept = new Map<string, ReadonlySet<string>>();

  async function keep(tx: Tx, part: string, all: readonly NewLead[], pages: number): Promise<void> {
    const found = all.filter(({ place }) => !removed.has(place.id));
    let keeps = kept.get(part);
    if (!keeps) {
      const ids = found.map(({ place }) => place.id);
      const elsewhere = onlyNew ? (await findKnownPlaces(tx, run, run.listId, ids)).elsewhere : new Map();
      const sifted = sift(
        found.map(({ place }) => place),
        elsewhere,
      );
      keeps = sifted.keeps;
      kept.set(part, keeps);
      progress.add({ ...sifted.counts, pages });
    }
    await addLeads(
      tx,
      run.listId,
      found.filter(({ place }) => keeps.has(place.id)),
    );
  }

  return {
    progress,
    copy: (tx, name, found) => keep(tx, name, found, 0),
    async store(tx, answered) {
      for (const one of answered) {
        await rememberPlaces(tx, run, one);
        const found = one.answer.places.map((place) => ({ place, callId: one.callId }));
        await keep(tx, one.subject, found, 1);
      }
    },
  };
}

/** Sorts the places of one part after another. Each is kept, or dropped for exactly one reason. */
function createSift(isOutside: (place: Place) => boolean) {
  const seen = new Set<string>();
  return (places: readonly Place[], elsewhere: Elsewhere): { counts: Counts; keeps: ReadonlySet<string> } => {
    const counts = { found: 0, kept: 0, outsideRadius: 0, closed: 0, duplicates: 0, alreadyListed: 0, serviceArea: 0 };
    const keeps = new Set<string>();
    for (const place of places) {
      counts.found += 1;
      if (seen.has(place.id)) counts.duplicates += 1;
      else if (place.closedPermanently) counts.closed += 1;
      else if (isOutside(place)) counts.outsideRadius += 1;
      else if (elsewhere.has(place.id)) counts.alreadyListed += 1;
      else {
        counts.kept += 1;
        counts.serviceArea += Number(place.serviceArea);
        keeps.add(place.id);
      }
      seen.add(place.id);
    }
    return { counts, keeps };
  };
}
