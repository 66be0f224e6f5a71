import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { createNextCall } from '#calling/next-call.ts';
import { RULES_AS_OF } from '#calling/rules/rule.ts';
import { CALL_VERDICTS, type CallVerdict } from '#contract/calling/call-verdicts.ts';
import type { listCallabilityEndpoint } from '#contract/calling/callability.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { type JudgedLead, judgeInParts } from '#server/calling/judge-leads.ts';
import { readTerms } from '#server/calling/read-terms.ts';
import { recordCountedVerdicts } from '#server/evidence/record-shown-verdicts.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownList } from '#server/runs/rows.ts';

/** How far ahead openings are told, in ms: a day, which is today's session wherever the reader is. */
const AHEAD_MS = 86_400_000;

/**
 * How many leads of one of the caller's lists may be called, and when the others open.
 * @throws NOT_FOUND
 */
export async function checkList(
  { deps, user }: Ctx,
  { listId, at: time }: z.output<typeof listCallabilityEndpoint.query>,
): Promise<DataOf<typeof listCallabilityEndpoint>> {
  const { db } = deps;
  const list = await ownList(db, user.userId, listId);
  const at = time ? Date.parse(time) : Date.now();
  const terms = await readTerms(db);
  const next = createNextCall({ ...terms, at });
  const counts = Object.fromEntries(CALL_VERDICTS.map((verdict) => [verdict, 0])) as Record<CallVerdict, number>;
  const opening = new Map<number, { leads: number; inReview: number }>();
  const count = ({ question, answer }: JudgedLead): void => {
    counts[answer.verdict] += 1;
    if (answer.verdict === 'callable') return;
    // An hour that opens is no promise: by then a check may have run out, or a law may not be known.
    const time = next(question, at + AHEAD_MS, { answer });
    if (!time) return;
    const { leads, inReview } = opening.get(time.from) ?? { leads: 0, inReview: 0 };
    opening.set(time.from, { leads: leads + 1, inReview: inReview + (time.isInReview ? 1 : 0) });
  };
  for await (const leads of judgeInParts(db, sql`lead.list_id = ${list.id}`, at, terms)) leads.forEach(count);
  const counted = {
    counts,
    opening: [...opening]
      .toSorted(([a], [b]) => a - b)
      .map(([opensAt, those]) => ({ opensAt: new Date(opensAt).toISOString(), ...those })),
  };
  const view = { actor: user.userId, list: list.id, sandbox: list.sandbox ?? false, at, isLater: time !== undefined };
  await recordCountedVerdicts(deps, { ...view, ...counted });
  return { at: new Date(at).toISOString(), ...counted, rulesAsOf: RULES_AS_OF };
}
