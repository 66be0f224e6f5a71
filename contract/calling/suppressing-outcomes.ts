import { z } from 'zod/mini';

/** Outcomes of a call after which its number is suppressed for everyone. */
export const SuppressingOutcome = z.enum(['wrong_number', 'do_not_call']);
export type SuppressingOutcome = z.infer<typeof SuppressingOutcome>;

export const isSuppressing = (outcome: string): outcome is SuppressingOutcome =>
  SuppressingOutcome.safeParse(outcome).success;
