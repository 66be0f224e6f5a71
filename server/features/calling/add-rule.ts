import { misfitsOwnRules } from '#calling/beside-own-rules.ts';
import { looserThanLaw } from '#calling/own-rules.ts';
import { STATE_ZONES } from '#calling/zones/state-zones.ts';
import { type CallingRules, dayAnywhere, MOST_OWN_RULES, type NewOwnRule } from '#contract/calling/rules.ts';
import type { Tx } from '#db/connection/tx.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { recordOverride } from '#server/evidence/record-rules.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { rulesNow } from './read-rules.ts';
import { lockRules, readOwnRules } from './stored-rules.ts';

/** Laws and days that are named when a rule is refused. */
const MOST_NAMED = 3;

/**
 * Adds a stricter rule of the workspace.
 * @throws VALIDATION_FAILED for one that is looser than a law or over already, and CONFLICT for too many or one that older ones close.
 */
export async function addRule(ctx: Ctx, rule: NewOwnRule): Promise<CallingRules> {
  const { deps, user } = ctx;
  const { state, days, from, to, cap, effectiveFrom, effectiveTo, reason } = rule;
  if (state !== 'US' && !STATE_ZONES[state])
    throw new AppError(
      'VALIDATION_FAILED',
      `${state} is not a state. Use two letters, such as IL, or US for everywhere.`,
    );
  if (effectiveTo !== undefined && effectiveTo < dayAnywhere(Date.now()))
    throw new AppError('VALIDATION_FAILED', 'The last day of this rule is over already. Choose a later one.');
  const looser = looserThanLaw(rule, new Date().toISOString().slice(0, 10));
  if (looser.length > 0)
    throw new AppError(
      'VALIDATION_FAILED',
      `Your own rules can only be stricter than the law. ${looser.slice(0, MOST_NAMED).join(' ')}`,
    );
  const evidence = await evidenceVault(deps.db, deps.vault);
  return deps.db.transaction().execute(async (tx) => {
    await requireFits(tx, rule);
    const { added } = await tx
      .insertInto('app.calling_rules')
      .values({
        state,
        days: [...new Set(days)].toSorted(),
        from_time: from,
        to_time: to,
        reason,
        cap_calls: cap?.calls ?? null,
        cap_hours: cap?.hours ?? null,
        effective_from: effectiveFrom ?? null,
        effective_to: effectiveTo ?? null,
        added_by: user.userId,
        added_by_email: user.email,
      })
      .returning('id as added')
      .executeTakeFirstOrThrow();
    const after = JSON.stringify({ state, days, from, to, cap, effectiveFrom, effectiveTo });
    await recordOverride(tx, evidence, { actor: user.userId, rule: added, before: null, after, reason });
    await writeAudit(tx, ctx, { action: 'calling.rule_added', target: added, details: { ...rule } });
    return rulesNow(tx);
  });
}

/** @throws CONFLICT unless the rule only takes hours away from what those in force leave. One after the other. */
async function requireFits(tx: Tx, rule: NewOwnRule): Promise<void> {
  await lockRules(tx);
  const older = (await readOwnRules(tx)).filter(isInForce);
  if (older.length >= MOST_OWN_RULES)
    throw new AppError('CONFLICT', `At most ${MOST_OWN_RULES} own rules can be in force. End one first.`);
  const misfits = misfitsOwnRules(rule, older, dayAnywhere(Date.now()));
  if (misfits.length === 0) return;
  const { state } = rule;
  const where = state === 'US' ? 'everywhere' : state;
  throw new AppError(
    'CONFLICT',
    `A new rule can only take hours away from your older rules for ${where}. ${misfits.slice(0, MOST_NAMED).join(' ')} End an older rule first, or change this one.`,
  );
}

const isInForce = ({ ended, effectiveTo }: CallingRules['rules'][number]): boolean =>
  !ended && (effectiveTo === undefined || effectiveTo >= dayAnywhere(Date.now()));
