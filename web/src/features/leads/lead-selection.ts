import type { LeadChoice, LeadFilter } from '#contract/work/lead-choice.ts';

/** Which rows are chosen: some by name, or all that fit a filter but for some. */
export type LeadSelection =
  | { kind: 'named'; ids: ReadonlySet<string> }
  | { kind: 'matching'; filter: LeadFilter; except: ReadonlySet<string> };

export const NO_LEADS: LeadSelection = { kind: 'named', ids: new Set() };

export const isSelected = (selection: LeadSelection, id: string): boolean =>
  selection.kind === 'named' ? selection.ids.has(id) : !selection.except.has(id);

/** Chooses some rows, or takes them out. */
export function select(selection: LeadSelection, ids: readonly string[], chosen: boolean): LeadSelection {
  if (selection.kind === 'named') return { kind: 'named', ids: withOrWithout(selection.ids, ids, chosen) };
  return { ...selection, except: withOrWithout(selection.except, ids, !chosen) };
}

function withOrWithout(set: ReadonlySet<string>, ids: readonly string[], add: boolean): ReadonlySet<string> {
  const next = new Set(set);
  for (const id of ids) {
    if (add) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** How many are chosen. `matching`: how many leads fit the filter. */
export const countSelected = (selection: LeadSelection, matching: number): number =>
  selection.kind === 'named' ? selection.ids.size : Math.max(0, matching - selection.except.size);

/** The same as the product API takes it. */
export function toChoice(selection: LeadSelection): LeadChoice {
  if (selection.kind === 'named') return { lead_ids: [...selection.ids] };
  const { filter, except } = selection;
  return { matching: filter, ...(except.size > 0 ? { except: [...except] } : {}) };
}
