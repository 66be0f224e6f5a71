import { z } from 'zod/mini';
import { asksHunter, FINDING_STEPS, type FindingStep } from '#contract/work/enrichment-steps.ts';
import { readStored, writeStored } from '#web/lib/storage/storage.ts';

/** The steps that are free, and need no key. */
const FREE_STEPS = FINDING_STEPS.filter((step) => !asksHunter([step]));

/** Of the wanted steps, those that can be taken. There is always one: without Hunter's key, what is free is left. */
export function possibleSteps(wanted: readonly FindingStep[], hunter: boolean): FindingStep[] {
  const possible = FINDING_STEPS.filter((step) => wanted.includes(step) && (hunter || step !== 'hunter'));
  return possible.length > 0 ? possible : FREE_STEPS;
}

/** What is wanted once a switch is turned. Hunter stays wanted while its key is missing. */
export function turned(
  wanted: readonly FindingStep[],
  { step, on, hunter }: { step: FindingStep; on: boolean; hunter: boolean },
): FindingStep[] {
  const before = possibleSteps(wanted, hunter);
  return FINDING_STEPS.filter((one) =>
    one === step ? on : before.includes(one) || (one === 'hunter' && !hunter && wanted.includes(one)),
  );
}

const keyOf = (userId: string) => `enrichment-steps:${userId}`;
const Stored = z.array(z.enum(FINDING_STEPS)).check(z.minLength(1));

/** The steps that a person chose last in this browser: at first, all of them. */
export function rememberedSteps(userId: string | undefined): FindingStep[] {
  const stored = userId === undefined ? undefined : readStored(keyOf(userId));
  try {
    return Stored.parse(JSON.parse(stored ?? ''));
  } catch {
    return [...FINDING_STEPS];
  }
}

export function rememberSteps(userId: string | undefined, steps: readonly FindingStep[]): void {
  if (userId !== undefined) writeStored(keyOf(userId), JSON.stringify(steps));
}
