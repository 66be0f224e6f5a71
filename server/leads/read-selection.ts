import { sql } from 'kysely';
import { type LeadChoice, MOST_CHOSEN_LEADS } from '#contract/work/lead-choice.ts';
import type { Db } from '#db/connection/client.ts';
import { settleChoice } from '#server/calling/settle-choice.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { ownList } from '#server/runs/rows.ts';
import type { ListRecord } from '#server/runs/run-context.ts';
import { isChosen } from './chosen-leads.ts';

/**
 * The caller's list, and the chosen leads, each once; undefined for all of them.
 * @throws NOT_FOUND, also for a named lead of another list, and VALIDATION_FAILED for more leads than may be chosen.
 */
export async function readSelection(
  db: Db,
  userId: string,
  chosen: LeadChoice & { list_id: string },
): Promise<ListRecord & { leadIds: string[] | undefined }> {
  const list = await ownList(db, userId, chosen.list_id);
  const { lead_ids } = chosen;
  const isNarrowed = isByMore(chosen);
  if (!lead_ids && !isNarrowed) return { ...list, leadIds: undefined };
  const settled = await settleChoice(db, list.id, chosen);
  const { rows } = await sql<{ id: string }>`
    select lead.id from public.leads as lead where ${isChosen(list.id, settled)} order by lead.position limit ${MOST_CHOSEN_LEADS + 1}
  `.execute(db);
  const leadIds = rows.map(({ id }) => id);
  if (lead_ids && !isNarrowed && leadIds.length !== new Set(lead_ids).size) throw notFound('A selected lead');
  if (leadIds.length > MOST_CHOSEN_LEADS) throw new AppError('VALIDATION_FAILED', TOO_MANY);
  if (leadIds.length === 0) throw new AppError('VALIDATION_FAILED', 'No lead of this list is selected anymore.');
  return { ...list, leadIds };
}

/** A filter that asks for nothing means the whole list. */
const isByMore = ({ matching = {}, except, of_run }: LeadChoice): boolean =>
  except !== undefined || of_run !== undefined || Object.values(matching).some((wanted) => wanted !== undefined);

const TOO_MANY = `Select at most ${MOST_CHOSEN_LEADS.toLocaleString('en-US')} leads, or choose the whole list.`;
