import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { RULES_AS_OF } from '#calling/rules/rule.ts';
import { createJudge } from '#calling/verdict.ts';
import { CALL_VERDICTS, type LeadVerdict, type listCallabilityEndpoint } from '#contract/calling/callability.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import { pause } from '#server/lib/pause.ts';
import { ownList } from '#server/runs/rows.ts';
import { openingOf } from './judged.ts';
import { readQuestions } from './read-leads.ts';

/** Leads judged before others have their turn. */
const AT_ONCE = 2_000;

/** How many leads of one of the caller's lists may be called, and when the others open. @throws NOT_FOUND. */
export async function checkList(
  { deps: { db }, user, signal }: Ctx,
  { listId, at: time, ids }: z.output<typeof listCallabilityEndpoint.query>,
): Promise<DataOf<typeof listCallabilityEndpoint>> {
  const list = await ownList(db, user.userId, listId);
  const at = time ? Date.parse(time) : Date.now();
  const wanted = new Set(ids?.split(','));
  const judge = createJudge({ at });
  const counts = Object.fromEntries(CALL_VERDICTS.map((verdict) => [verdict, 0])) as Record<
    LeadVerdict['verdict'],
    number
  >;
  const opening = new Map<number, number>();
  const leads: LeadVerdict[] = [];
  for (const [number, { id, question }] of (await readQuestions(db, sql`lead.list_id = ${list.id}`, at)).entries()) {
    if (number % AT_ONCE === AT_ONCE - 1) await pause(0, signal);
    const { verdict, window } = judge(question);
    counts[verdict] += 1;
    if (verdict === 'not_now' && window.opensAt !== undefined)
      opening.set(window.opensAt, (opening.get(window.opensAt) ?? 0) + 1);
    if (wanted.has(id)) leads.push({ id, verdict, ...openingOf(window) });
  }
  return {
    at: new Date(at).toISOString(),
    counts,
    opening: [...opening]
      .toSorted(([a], [b]) => a - b)
      .map(([opensAt, count]) => ({ opensAt: new Date(opensAt).toISOString(), leads: count })),
    leads,
    rulesAsOf: RULES_AS_OF,
  };
}
