import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { addSuppressionEndpoint, SuppressionKind } from '#contract/calling/suppressions.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Tx } from '#db/connection/tx.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import type { Ctx } from '#server/http/context.ts';
import { suppressedSince } from '#server/leads/suppressed.ts';
import { AppError } from '#server/lib/app-error.ts';
import { addEntries } from './add-entries.ts';
import { countHeldLeads, tellHeldLeads } from './held-leads.ts';
import { readSuppressions } from './list-suppressions.ts';
import { readEntry } from './read-entry.ts';
import { suppressAfterCall } from './suppress-after-call.ts';

/**
 * Suppresses one contact for everyone.
 * @throws VALIDATION_FAILED for what is none of its kind or was called and is no number, CONFLICT for what was erased.
 */
export async function addSuppression(
  ctx: Ctx,
  { kind, value, note, said }: z.output<typeof addSuppressionEndpoint.body>,
): Promise<DataOf<typeof addSuppressionEndpoint>> {
  const { db } = ctx.deps;
  const entry = readEntry(kind, value);
  if (entry.state === 'wrong') throw new AppError('VALIDATION_FAILED', entry.why);
  if (said && kind !== 'phone') throw new AppError('VALIDATION_FAILED', 'Only a number can have been called.');
  const evidence = await evidenceVault(db, ctx.deps.vault);
  const { suppression, added } = await db.transaction().execute(async (tx) => {
    const by = { source: said ? 'call' : 'hand', addedBy: ctx.user.userId } as const;
    const added = (await addEntries(tx, evidence, [{ kind, value: entry.value, note }], by)).keys.length > 0;
    const isIt = sql<boolean>`entry.key = app.suppression_key(${kind}, ${entry.value})`;
    let [suppression] = await readSuppressions(tx, isIt, 1);
    if (!suppression) throw await refusal(tx, kind, entry.value);
    if (added) await writeAudit(tx, ctx, { action: 'suppression.added', target: suppression.id, details: { kind } });
    if (said) {
      const askedAt = new Date(Math.min(said.at ? Date.parse(said.at) : Date.now(), Date.now()));
      await suppressAfterCall(tx, ctx, { number: suppression.value, outcome: said.outcome, note, askedAt });
      [suppression = suppression] = await readSuppressions(tx, isIt, 1);
    }
    return { suppression, added };
  });
  const keys = [`${suppression.kind}:${suppression.value}`];
  if (added) await tellHeldLeads(db, keys);
  return { suppression, added, leads: await countHeldLeads(db, keys) };
}

/** Why there is no entry, though nothing stood in its way. */
async function refusal(tx: Tx, kind: SuppressionKind, value: string): Promise<AppError> {
  if ((await suppressedSince(tx, kind, value)) === undefined)
    return new AppError('VALIDATION_FAILED', 'This cannot be suppressed. Check how it is written.');
  return new AppError('CONFLICT', 'This contact was erased. It is held back for good, without an entry.');
}
