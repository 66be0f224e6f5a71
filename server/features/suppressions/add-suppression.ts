import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { addEntries } from './add-entries.ts';
import { countHeldLeads, tellHeldLeads } from './held-leads.ts';
import { readSuppressions } from './list-suppressions.ts';
import { readEntry } from './read-entry.ts';

/** Suppresses one contact for everyone. @throws VALIDATION_FAILED for what is none of its kind. */
export async function addSuppression(
  ctx: Ctx,
  { kind, value, note }: z.output<typeof addSuppressionEndpoint.body>,
): Promise<DataOf<typeof addSuppressionEndpoint>> {
  const entry = readEntry(kind, value);
  if (entry.state === 'wrong') throw new AppError('VALIDATION_FAILED', entry.why);
  return ctx.deps.db.transaction().execute(async (tx) => {
    const by = { source: 'hand', addedBy: ctx.user.userId } as const;
    const added = await addEntries(tx, [{ kind, value: entry.value, note }], by);
    const isIt = sql<boolean>`entry.key = app.suppression_key(${kind}, ${entry.value})`;
    const [suppression] = await readSuppressions(tx, isIt, 1);
    if (!suppression) throw new AppError('VALIDATION_FAILED', 'This cannot be suppressed. Check how it is written.');
    const keys = [`${suppression.kind}:${suppression.value}`];
    if (added.length > 0) {
      await tellHeldLeads(tx, keys);
      await writeAudit(tx, ctx, { action: 'suppression.added', target: suppression.id, details: { kind } });
    }
    return { suppression, added: added.length > 0, leads: await countHeldLeads(tx, keys) };
  });
}
