import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { confirmStopEndpoint } from '#contract/calling/stop-page.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { countRequests } from '#db/limits/count-requests.ts';
import { networkOf } from '#db/values/ip-network.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { addEntries } from '#server/features/suppressions/add-entries.ts';
import { tellHeldLeads } from '#server/features/suppressions/held-leads.ts';
import { noteRequest } from '#server/features/suppressions/note-request.ts';
import type { PublicCtx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { countRequest } from '#server/limits/count-requests.ts';
import { readContact, siteOf } from './ask-to-stop.ts';
import { askAdministrator } from './plan-code.ts';
import { isCodeOf } from './stop-code.ts';
import { MOST_TRIES, STOP_LIMITS } from './stop-limits.ts';

/**
 * Suppresses what the code was sent to. A code that was sent works though the page was switched off since.
 * @throws RATE_LIMITED, and VALIDATION_FAILED in the same words whatever is wrong with the code
 */
export async function confirmStop(
  ctx: PublicCtx,
  { kind, value, ask, code }: z.output<typeof confirmStopEndpoint.body>,
): Promise<DataOf<typeof confirmStopEndpoint>> {
  const { db, vault } = ctx.deps;
  await countRequest(ctx.deps, [STOP_LIMITS.guessesOfNetwork, networkOf(ctx.ip)]);
  const contact = await readContact(ctx, kind, value);
  const excess = await countRequests(ctx.deps, [[STOP_LIMITS.guessesAtContact, contact.print]]);
  // Counted before it is compared, so that no two guesses share a try.
  const { rows } = await sql<{ code_id: string }>`
    update app.stop_codes set tries = tries + 1
    where id = ${ask} and contact = ${contact.print} and tries < ${MOST_TRIES} and expires_at > now() and code_id is not null
    returning code_id
  `.execute(db);
  const codeId = rows[0]?.code_id;
  // Others may have guessed so often to keep the owner from stopping.
  if (excess && codeId !== undefined) await askAdministrator(db, { key: contact.key, network: siteOf(ctx) });
  if (excess || codeId === undefined || !isCodeOf(vault, codeId, code))
    throw new AppError('VALIDATION_FAILED', 'This code is wrong or no longer works. Check it, or ask for a new one.');
  const evidence = await evidenceVault(db, vault);
  const added = await db.transaction().execute(async (tx) => {
    await sql`update app.stop_codes set expires_at = now() where code_id = ${codeId}::uuid`.execute(tx);
    const request = await tx
      .deleteFrom('app.stop_requests')
      .where('key', '=', contact.key)
      .returning('asked_at')
      .executeTakeFirst();
    const { keys } = await addEntries(tx, evidence, [{ kind, value: contact.value }], {
      source: 'public',
      addedBy: null,
    });
    // They may have asked before, when no code could be sent.
    const askedAt = request?.asked_at;
    await noteRequest(tx, evidence, { key: contact.key, askedAt, source: 'public', actor: null });
    if (keys.length > 0)
      await writeAudit(tx, ctx, { action: 'suppression.asked', target: 'public', details: { kind } });
    return keys;
  });
  await tellHeldLeads(db, added);
  return { stopped: true };
}
