import { sql } from 'kysely';
import type { CallingRules, endCallingRuleEndpoint } from '#contract/calling/rules.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { recordOverride } from '#server/evidence/record-rules.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { rulesNow } from './read-rules.ts';

/** Ends a rule of the workspace; one that has ended already is fine. It stays in the history. */
export async function endRule(
  ctx: Ctx,
  { query: { id }, body: { reason } }: Input<typeof endCallingRuleEndpoint>,
): Promise<CallingRules> {
  const { deps, user } = ctx;
  const evidence = await evidenceVault(deps.db, deps.vault);
  return deps.db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('app.calling_rules')
      .set({ ended_by: user.userId, ended_by_email: user.email, ended_at: sql`now()`, end_reason: reason })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .returning('state')
      .executeTakeFirst();
    if (ended) {
      const change = { rule: id, before: ended.state, after: null };
      await recordOverride(tx, evidence, { actor: user.userId, ...change, reason });
      await writeAudit(tx, ctx, { action: 'calling.rule_ended', target: id, details: { state: ended.state, reason } });
    }
    return rulesNow(tx);
  });
}
