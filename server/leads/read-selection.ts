import { sql } from 'kysely';
import { type LeadChoice, MOST_CHOSEN_LEADS } from '#contract/work/lead-choice.ts';
import type { Db } from '#db/connection/client.ts';
import { settleChoice } from '#server/calling/settle-choice.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { ownList } from '#server/runs/rows.ts';
import type { ListRecord } from '#server/runs/run-context.ts';
import { isChosen } from './chosen-leads.ts';
import { refuseOthers } from './refuse-others.ts';

/**
 * The caller's list, and the chosen leads, each once; undefined for all of them.
 * @throws CONFLICT when other leads fit than were chosen.
 * @throws NOT_FOUND, also for a named lead of another list, and VALIDATION_FAILED for more leads than may be chosen.
 */
export async function readSelection(
  db: Db,
  userId: string,
  { digest, ...chosen }: LeadChoice & { list_id: string; digest?: string | undefined },
): Promise<ListRecord & { leadIds: string[] | undefined }> {
  const list = await ownList(db, userId, chosen.list_id);
  const { lead_ids } = chosen;
  const isNarrowed = isByMore(chosen);
  const settled = await settleChoice(db, list.id, chosen);
  if (!lead_ids && !isNarrowed) {
    await refuseOthers(db, list.id, settled, { digest });
    return { ...list, leadIds: undefined };
  }
  const { rows } = await sql<{ id: string }>`
    select lead.id from public.leads as lead where ${isChosen(list.id, settled)} order by lead.position limit ${MOST_CHOSEN_LEADS + 1}
  `.execute(db);
  const leadIds = rows.map(({ id }) => id);
  // Looked at behind them, so that what changed meanwhile is noticed.
  await refuseOthers(db, list.id, settled, { digest });
  if (lead_ids && !isNarrowed && leadIds.length !== new Set(lead_ids).size) throw notFound('A selected lead');
  if (leadIds.length > MOST_CHOSEN_LEADS) throw new AppError('VALIDATION_FAILED', TOO_MANY);
  if (leadIds.length === 0) throw new AppError('VALIDATION_FAILED', 'No lead of this list is selected anymore.');
  return { ...list, leadIds };
}

/**
 * The chosen leads alone; undefined for all of the list. Then it is not read: whatever begins to work on it does that.
 * @throws what readSelection throws.
 */
export async function readChosen(
  db: Db,
  userId: string,
  choice: Parameters<typeof readSelection>[2],
): Promise<string[] | undefined> {
  if (!choice.lead_ids && !isByMore(choice) && choice.digest === undefined) return undefined;
  return (await readSelection(db, userId, choice)).leadIds;
}

/** A filter that asks for nothing means the whole list. */
const isByMore = ({ matching = {}, except, of_run }: LeadChoice): boolean =>
  except !== undefined || of_run !== undefined || Object.values(matching).some((wanted) => wanted !== undefined);

const TOO_MANY = `Select at most ${MOST_CHOSEN_LEADS.toLocaleString('en-US')} leads, or choose the whole list.`;
