import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { judgeCall } from '#calling/verdict.ts';
import type { Callability, leadCallabilityEndpoint } from '#contract/calling/callability.ts';
import type { Ctx } from '#server/http/context.ts';
import { notFound } from '#server/lib/app-error.ts';
import { isUuid } from '#server/runs/rows.ts';
import { judged } from './judged.ts';
import { readQuestions } from './read-leads.ts';

/** Whether one of the caller's leads may be called. @throws NOT_FOUND. */
export async function checkLead(
  { deps: { db }, user }: Ctx,
  { id, at: time }: z.output<typeof leadCallabilityEndpoint.query>,
): Promise<Callability> {
  const at = time ? Date.parse(time) : Date.now();
  const isOwn = sql<boolean>`lead.id = ${isUuid(id) ? id : null}::uuid and list.user_id = ${user.userId}`;
  const [lead] = await readQuestions(db, isOwn, at);
  if (!lead) throw notFound('This lead');
  return judged(judgeCall({ ...lead.question, at }));
}
