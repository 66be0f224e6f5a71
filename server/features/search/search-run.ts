import { sql } from 'kysely';
import { COMPLETENESS } from '#contract/work/search/completeness.ts';
import type { Coordinates } from '#providers/provider.ts';
import { type Meanwhile, withMeanwhile } from '#server/paid-calls/meanwhile.ts';
import type { Plan } from '#server/paid-calls/operation.ts';
import type { ListKindDefinition, ListRunContext } from '#server/runs/run-context.ts';
import { AreaInput } from './all/area-input.ts';
import { searchAll } from './all/search-all.ts';
import { keepPaidPages } from './keep-paid-pages.ts';
import { knownMatches } from './open/known-matches.ts';
import { fillOpenFirst } from './open/open-first.ts';
import { locate, lostAnswer } from './place/locate.ts';
import { circleOf, SearchInput } from './search-input.ts';
import type { PageAnswer } from './search-operations.ts';
import { firstPage, searchPages } from './search-pages.ts';

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
    await withMeanwhile(context.deps.log, (meanwhile) => searchCircle(context, input, meanwhile));
    return undefined;
  },
  keepPaid: keepPaidPages,
  async listAfter(_tx, list, end) {
    if (end === 'failed' || (end === 'cancelled' && list.lead_count === 0)) return {};
    return { tier1_complete: true, completeness: list.tier2_complete ? list.completeness : COMPLETENESS.tier1 };
  },
};

/** Pages leave one behind the other. Each is put into the list while the next one is on its way. */
async function searchCircle(context: ListRunContext, input: SearchInput, meanwhile: Meanwhile): Promise<void> {
  const { run } = context;
  const finder = context.deps.providers.placeFinder(context.key.apiKey);
  let first: Plan<PageAnswer> | undefined;
  const center = await locate(context, finder, input.location, {
    storing: ([answered]) => {
      const label = answered?.answer.place?.label;
      return label ? [sql`update public.lists set resolved_place = ${label} where id = ${run.listId}`] : [];
    },
    next: (bought) => {
      const [located] = bought.values();
      return located?.answer.place ? firstPage(run, input, located.answer.place, (plan) => (first = plan)) : undefined;
    },
  });
  const openIds = await openFirst(context, input, center);
  if (!(await searchPages({ context, finder, input, center, openIds, meanwhile }, first))) throw lostAnswer();
}

/** Puts open data first if the search asks for it. Returns Google's ids of the places that are known to come from it. */
async function openFirst(
  context: ListRunContext,
  input: SearchInput,
  center: Coordinates,
): Promise<ReadonlySet<string>> {
  if (input.source !== 'open_first') return new Set();
  const what = { queries: [input.query], area: circleOf(input, center) };
  await fillOpenFirst(context, { ...what, onlyNew: input.onlyNew === true });
  return (await knownMatches(context.deps.db, context.run, what, context.run.id)).placeIds;
}
