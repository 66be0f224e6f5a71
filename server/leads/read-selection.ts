import { sql } from 'kysely';
import { type LeadChoice, MOST_NAMED_LEADS } from '#contract/work/lead-choice.ts';
import type { Db } from '#db/connection/client.ts';
import { settleChoice } from '#server/calling/settle-choice.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { ownList } from '#server/runs/rows.ts';
import type { ListRecord } from '#server/runs/run-context.ts';
import { isChosen } from './chosen-leads.ts';

/**
 * The caller's list, and the chosen leads, each once; undefined for all of them.
 * @throws NOT_FOUND, also for a named lead of another list, and VALIDATION_FAILED for more leads than may be named.
 */
export async function readSelection(
  db: Db,
  userId: string,
  chosen: LeadChoice & { list_id: string },
): Promise<ListRecord & { leadIds: string[] | undefined }> {
  const list = await ownList(db, userId, chosen.list_id);
  const { lead_ids, matching, except } = chosen;
  if (!lead_ids && !matching && !except) return { ...list, leadIds: undefined };
  const settled = await settleChoice(db, list.id, chosen);
  const { rows } = await sql<{ id: string }>`
    select lead.id from public.leads as lead where ${isChosen(list.id, settled)} order by lead.position limit ${MOST_NAMED_LEADS + 1}
  `.execute(db);
  const leadIds = rows.map(({ id }) => id);
  if (lead_ids && !matching && !except && leadIds.length !== new Set(lead_ids).size) throw notFound('A selected lead');
  if (leadIds.length > MOST_NAMED_LEADS) throw new AppError('VALIDATION_FAILED', TOO_MANY);
  if (leadIds.length === 0) throw new AppError('VALIDATION_FAILED', 'No lead of this list is selected any more.');
  return { ...list, leadIds };
}

const TOO_MANY = `Select at most ${MOST_NAMED_LEADS.toLocaleString('en-US')} leads, or choose the whole list.`;
