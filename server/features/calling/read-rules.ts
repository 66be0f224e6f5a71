import { hoursText } from '#calling/findings.ts';
import { isDue, RULES, RULES_AS_OF } from '#calling/rules/rule.ts';
import type { CallingRules } from '#contract/calling/rules.ts';
import type { Db } from '#db/connection/client.ts';
import type { Ctx } from '#server/http/context.ts';
import { readOwnRules, readScopes } from './stored-rules.ts';

/** All that decides about the hours of calls here, with its history. */
export const readRules = ({ deps: { db } }: Ctx): Promise<CallingRules> => rulesNow(db);

export async function rulesNow(db: Db): Promise<CallingRules> {
  const scopes = await readScopes(db);
  const rules = await readOwnRules(db);
  const now = Date.now();
  return {
    scope: scopes[0]?.scope ?? 'every_line',
    scopes,
    rules,
    law: RULES.map((rule) => {
      const { state, scope, citation, source, confidence, reviewedOn, effectiveFrom, effectiveTo } = rule;
      const from = effectiveFrom === undefined ? {} : { effectiveFrom };
      const to = effectiveTo === undefined ? {} : { effectiveTo };
      const due = isDue(rule, now);
      return { state, scope, hours: hoursText(rule), citation, source, confidence, reviewedOn, due, ...from, ...to };
    }),
    rulesAsOf: RULES_AS_OF,
  };
}
