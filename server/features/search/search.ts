import type { LocatedPlace, PlaceFinder } from '#providers/provider.ts';
import type { Meanwhile } from '#server/paid-calls/meanwhile.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import type { SearchInput } from './search-input.ts';

/** A search that has found its place and may begin. */
export type Search = {
  context: ListRunContext;
  finder: PlaceFinder;
  input: SearchInput;
  center: LocatedPlace;
  /** Google's ids of places that are known to come from open data: nothing is paid for them. */
  openIds: ReadonlySet<string>;
  /** Fills the list with a page while the next one is on its way. */
  meanwhile: Meanwhile;
};
