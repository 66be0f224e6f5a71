import { COMPLETENESS } from '#contract/work/completeness.ts';
import type { ListKindDefinition } from '#server/runs/run-context.ts';
import { AreaInput } from './all/area-input.ts';
import { searchAll } from './all/search-all.ts';
import { resolveArea } from './area/resolve-area.ts';
import { locate, lostAnswer } from './locate.ts';
import { fillOpenFirst } from './open/open-first.ts';
import { SearchInput } from './search-input.ts';
import { searchPages } from './search-pages.ts';

/** Locates the place, then fills the list page by page. */
export const searchKind: ListKindDefinition = {
  provider: 'google_places',
  async execute(context) {
    const { run } = context;
    const all = AreaInput.safeParse(run.input);
    if (all.success) {
      await searchAll(context, all.data);
      return undefined;
    }
    const input = SearchInput.parse(run.input);
    const finder = context.deps.providers.placeFinder(context.key.apiKey);
    const center = await locate(context, finder, input.location, async (tx, answered) => {
      const label = answered[0]?.answer.place?.label;
      if (label) await tx.updateTable('lists').set({ resolved_place: label }).where('id', '=', run.listId).execute();
    });
    if (input.source === 'open_first') {
      const area = resolveArea({ kind: 'circle', center, meters: input.radiusMeters });
      await fillOpenFirst(context, { queries: [input.query], area, onlyNew: input.onlyNew === true });
    }
    if (!(await searchPages({ context, finder, input, center }))) throw lostAnswer();
  },
  async listAfter(_tx, list, end) {
    if (end === 'failed' || (end === 'cancelled' && list.lead_count === 0)) return {};
    return { tier1_complete: true, completeness: list.tier2_complete ? list.completeness : COMPLETENESS.tier1 };
  },
};
