import { SUPPRESSION_KINDS, type SuppressionKind } from '#contract/calling/suppressions.ts';

/** What the address says about the list. `before`: the entry that the page follows; undefined on the newest. */
export type SuppressionsView = { q: string; kind: SuppressionKind | undefined; before: string | undefined };

/** Reads the view from the address. What is not understood is left out. */
export const readSuppressionsView = (params: URLSearchParams): SuppressionsView => ({
  q: params.get('q') ?? '',
  kind: SUPPRESSION_KINDS.find((kind) => kind === params.get('kind')),
  before: params.get('before') ?? undefined,
});

/** The address of `current` after `change`; another filter goes back to the newest entries. */
export function changeSuppressionsView(current: SuppressionsView, change: Partial<SuppressionsView>): URLSearchParams {
  const next = { ...current, before: undefined, ...change };
  return new URLSearchParams(Object.entries(next).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
