import type { Area } from '#contract/work/search/areas.ts';

/** An area and what it is called; without one, the circle around the location that is called so. */
export type NamedArea = { area: Area | undefined; location: string };
