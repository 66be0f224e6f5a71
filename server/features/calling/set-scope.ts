import type { z } from 'zod/mini';
import type { CallingRules, setCallScopeEndpoint } from '#contract/calling/rules.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { recordOverride } from '#server/evidence/record-rules.ts';
import type { Ctx } from '#server/http/context.ts';
import { rulesNow } from './read-rules.ts';
import { lockRules } from './stored-rules.ts';

/** Chooses whose protection counts, and keeps who chose it and why. */
export async function setScope(
  ctx: Ctx,
  { scope, reason }: z.output<typeof setCallScopeEndpoint.body>,
): Promise<CallingRules> {
  const { deps, user } = ctx;
  const evidence = await evidenceVault(deps.db, deps.vault);
  return deps.db.transaction().execute(async (tx) => {
    await lockRules(tx);
    const { scope: before } = await rulesNow(tx);
    await tx
      .insertInto('app.calling_scopes')
      .values({ scope, reason, decided_by: user.userId, decided_by_email: user.email })
      .execute();
    await recordOverride(tx, evidence, { actor: user.userId, rule: 'scope', before, after: scope, reason });
    await writeAudit(tx, ctx, { action: 'calling.scope_set', target: scope, details: { before, reason } });
    return rulesNow(tx);
  });
}
