import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import { copyName, type duplicateListEndpoint } from '#contract/work/lists.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Ctx } from '#server/http/context.ts';
import { copyLeads } from '#server/leads/copy-leads.ts';
import { noteOrigin } from '#server/leads/origins/note-origin.ts';
import { AppError } from '#server/lib/app-error.ts';
import { lockOwnList } from '#server/runs/rows.ts';
import type { ListRecord } from '#server/runs/run-context.ts';

/**
 * Copies the caller's list, archived or not, into a new active one: nothing was paid for it, and its retention starts again.
 * @throws NOT_FOUND
 * @throws CONFLICT while the list is being worked on, or when the caller has as many lists as an account can have.
 */
export function duplicateList(
  { deps, user }: Ctx,
  { list_id: listId }: z.output<typeof duplicateListEndpoint.body>,
): Promise<DataOf<typeof duplicateListEndpoint>> {
  return guardedTransaction(deps.db, async (tx) => {
    const list = await lockOwnList(tx, user.userId, listId);
    if (list.status === 'processing')
      throw new AppError('CONFLICT', 'This list is still being processed. Duplicate it when that is done.');
    const copy = await copyList(tx, list).catch(orTooManyLists);
    await copyLeads(tx, list.id, copy.list_id, {});
    await noteOrigin(tx, copy.list_id, { name: list.name, how: 'duplicate' });
    // What was covered holds for the copy as well.
    await sql`
      insert into app.list_surveys (list_id, survey_id, certificate)
      select ${copy.list_id}, survey_id, certificate from app.list_surveys where list_id = ${list.id}
    `.execute(tx);
    return copy;
  });
}

/** The database's own words are for people. */
function orTooManyLists(error: unknown): never {
  if (error instanceof DatabaseError && error.constraint === 'lists_per_person')
    throw new AppError('CONFLICT', error.message, { cause: error });
  throw error;
}

function copyList(tx: Tx, list: ListRecord): Promise<{ list_id: string; name: string }> {
  return tx
    .insertInto('lists')
    .values({
      user_id: list.user_id,
      name: copyName(list.name),
      search_params: JSON.stringify(list.search_params),
      status: 'completed',
      lead_count: list.lead_count,
      completeness: list.completeness,
      tier1_complete: list.tier1_complete,
      tier2_complete: list.tier2_complete,
      tier3_complete: list.tier3_complete,
      tier4_complete: list.tier4_complete,
      compliance_checked: list.compliance_checked,
      compliance_expires_at: list.compliance_expires_at,
      has_emails: list.has_emails,
      has_contacts: list.has_contacts,
      resolved_place: list.resolved_place,
      sandbox: list.sandbox,
    })
    .returning(['id as list_id', 'name'])
    .executeTakeFirstOrThrow();
}
