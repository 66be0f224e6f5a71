import type { StopKind } from '#contract/calling/stop-page.ts';

/** What someone entered of themselves. */
export type Entered = { kind: StopKind; value: string };
