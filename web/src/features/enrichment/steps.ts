import { z } from 'zod/mini';
import { ENRICHMENT_STEPS, EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { readStored, writeStored } from '#web/lib/storage/storage.ts';

/** The steps that are free, and need no key. */
const FREE_STEPS = ENRICHMENT_STEPS.filter((step) => step !== 'hunter');

/** Whether some of the steps may cost money. */
export const isPaid = (steps: readonly EnrichmentStep[]): boolean => steps.includes('hunter');

/** Of the wanted steps, those that can be taken. There is always one: without Hunter's key, what is free is left. */
export function possibleSteps(wanted: readonly EnrichmentStep[], hunter: boolean): EnrichmentStep[] {
  const possible = ENRICHMENT_STEPS.filter((step) => wanted.includes(step) && (hunter || step !== 'hunter'));
  return possible.length > 0 ? possible : FREE_STEPS;
}

/** What is wanted once a switch is turned. Hunter stays wanted while its key is missing. */
export function turned(
  wanted: readonly EnrichmentStep[],
  { step, on, hunter }: { step: EnrichmentStep; on: boolean; hunter: boolean },
): EnrichmentStep[] {
  const before = possibleSteps(wanted, hunter);
  return ENRICHMENT_STEPS.filter((one) =>
    one === step ? on : before.includes(one) || (one === 'hunter' && !hunter && wanted.includes(one)),
  );
}

const keyOf = (userId: string) => `enrichment-steps:${userId}`;
const Stored = z.array(EnrichmentStep).check(z.minLength(1));

/** The steps that a person chose last in this browser: at first, all of them. */
export function rememberedSteps(userId: string | undefined): EnrichmentStep[] {
  const stored = userId === undefined ? undefined : readStored(keyOf(userId));
  try {
    return Stored.parse(JSON.parse(stored ?? ''));
  } catch {
    return [...ENRICHMENT_STEPS];
  }
}

export function rememberSteps(userId: string | undefined, steps: readonly EnrichmentStep[]): void {
  if (userId !== undefined) writeStored(keyOf(userId), JSON.stringify(steps));
}
