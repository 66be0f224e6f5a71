import { hash } from 'node:crypto';
import { REVIEWED_TEXT, RULES_AS_OF } from '#calling/rules/rule.ts';

/** Which legal rules applied: the day of the oldest review among them, and the SHA-256 of the whole reviewed table. */
export type RulesInForce = { rulesAsOf: string; rulesSha256: string };

export const RULES_IN_FORCE: RulesInForce = {
  rulesAsOf: RULES_AS_OF,
  rulesSha256: hash('sha256', REVIEWED_TEXT, 'hex'),
};
