import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';

/** Who must use two-step sign-in. Anyone who has set it up is asked for it in any case. */
export const SecondStepRule = z.enum(['optional', 'admins', 'everybody']);
export type SecondStepRule = z.infer<typeof SecondStepRule>;

const Rule = z.object({ required: SecondStepRule });

export const getSecondStepRuleEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/second-step',
  reads: true,
  access: 'admin',
  data: Rule,
});

/**
 * Holds from the next request of everyone on.
 * @throws CONFLICT for anyone who has not proven a second step in this session
 */
export const setSecondStepRuleEndpoint = endpoint({
  method: 'PUT',
  path: '/api/admin/second-step',
  access: 'admin',
  freshProof: true,
  body: Rule,
  data: Rule,
});

/**
 * For someone who has lost theirs: all factors go, and every session ends. `factors`: how many there were.
 * @throws CONFLICT for oneself, NOT_FOUND
 */
export const resetSecondStepEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/users/reset-second-step',
  access: 'admin',
  freshProof: true,
  body: z.object({ user_id: looseId }),
  data: z.object({ user_id: z.string(), factors: z.number() }),
});
