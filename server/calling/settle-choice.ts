import { type RawBuilder, sql } from 'kysely';
import type { LeadChoice, LeadFilter } from '#contract/work/lead-choice.ts';
import type { Db } from '#db/connection/client.ts';
import { fits, isChosen, type SettledChoice, type SettledFilter } from '#server/leads/chosen-leads.ts';
import { callableWithin, judgeLeads } from './judge-leads.ts';

/** A filter as SQL can ask it: a verdict on calls becomes the leads that have it at a moment, in ms since 1970. */
export async function settleFilter(
  db: Db,
  listId: string,
  { call, ...filter }: LeadFilter,
  at: number = Date.now(),
): Promise<SettledFilter> {
  if (!call) return filter;
  const judged = await judgeLeads(db, fits(listId, filter), at);
  return { ...filter, positions: judged.flatMap(({ position, answer }) => (answer.verdict === call ? position : [])) };
}

/** A choice of leads with its filter settled, once for all that is done with it. */
export async function settleChoice(
  db: Db,
  listId: string,
  { matching, ...choice }: LeadChoice,
  at: number = Date.now(),
): Promise<SettledChoice> {
  return matching ? { ...choice, matching: await settleFilter(db, listId, matching, at) } : choice;
}

/** Whether a chosen lead may be called at some moment within so many hours. */
export async function isCallableWithin(
  db: Db,
  listId: string,
  choice: SettledChoice,
  hours: number,
  at: number = Date.now(),
): Promise<RawBuilder<boolean>> {
  const leads = await callableWithin(db, isChosen(listId, choice), at, at + hours * 3_600_000);
  return sql<boolean>`lead.position = any(${leads.map(({ position }) => position)}::integer[])`;
}
